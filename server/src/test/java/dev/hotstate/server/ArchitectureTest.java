package dev.hotstate.server;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import dev.hotstate.core.Durations;
import dev.hotstate.core.KeyFamily;
import dev.hotstate.core.Keyspace;
import dev.hotstate.core.Script;
import dev.hotstate.core.Service;
import dev.hotstate.server.config.Settings;
import java.time.Clock;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The rules of the whole, over every class of the product. */
class ArchitectureTest {
    private static final JavaClasses PRODUCT = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.hotstate");
    private static final Keyspace KEYSPACE = Features.keyspace(Settings.defaults());

    @Test
    void onlyCoreAndRedisClassesSpeakToRedis() {
        noClasses()
                .that(not(resideInAnyPackage("dev.hotstate.core..", "dev.hotstate.testkit..")))
                .and(not(named("Redis\\w*")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.lettuce..")
                .because("only a declared key reaches Redis, through core; what must ask Redis itself is called so")
                .check(PRODUCT);
    }

    @Test
    void onlyTheStoreAndPostgresClassesSpeakToPostgres() {
        noClasses()
                .that(not(resideInAPackage("dev.hotstate.store..")))
                .and(not(named("Postgres\\w*")))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "java.sql..", "javax.sql..", "org.jdbi..", "org.flywaydb..", "com.zaxxer..", "org.postgresql..")
                .because("a door speaks its feature's language; its statements stand in one class beside it")
                .check(PRODUCT);
    }

    @Test
    void onlyTheHttpFrameKnowsTheWebServer() {
        noClasses()
                .that(not(resideInAnyPackage("dev.hotstate.server.http..", "dev.hotstate.*.helidon..")))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("io.helidon..")
                .because("routes answer values, so that the web server can be replaced in one place")
                .check(PRODUCT);
    }

    @Test
    void onlyTheWiringReadsTheWallClock() {
        noClasses()
                .that(not(named("HotstateServer|TokenCommand")))
                .should()
                .accessTargetWhere(describe("it reads the wall clock", ArchitectureTest::readsTheWallClock))
                .because("time is an argument: an InstantSource in Java, Redis's own time in scripts")
                .check(PRODUCT);
    }

    @Test
    void onlyTheCommandLinePrints() {
        noClasses()
                .that(not(resideInAPackage("dev.hotstate.server.cli..")))
                .should()
                .accessTargetWhere(describe("it prints", ArchitectureTest::prints))
                .because("a server logs; standard output belongs to the one who typed a command")
                .check(PRODUCT);
    }

    @Test
    void coreKnowsNeitherStoreNorServer() {
        knowNothingOf("dev.hotstate.core..", "dev.hotstate.store..", "dev.hotstate.server..", "dev.hotstate.testkit..");
    }

    @Test
    void theStoreKnowsNoServer() {
        knowNothingOf(
                "dev.hotstate.store..",
                "dev.hotstate.monitors..",
                "dev.hotstate.jobs..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
    }

    @Test
    void featuresKnowNeitherEachOtherNorTheStoreNorTheServer() {
        knowNothingOf(
                "dev.hotstate.limits..",
                "dev.hotstate.traffic..",
                "dev.hotstate.store..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
        knowNothingOf(
                "dev.hotstate.traffic..",
                "dev.hotstate.limits..",
                "dev.hotstate.store..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
    }

    /** An incident and its alerts, a job and its end are of one transaction, so they bring their own statements. */
    @Test
    void monitorsAndJobsKnowTheStoreButNoOtherFeatureAndNoServer() {
        knowNothingOf(
                "dev.hotstate.monitors..",
                "dev.hotstate.limits..",
                "dev.hotstate.traffic..",
                "dev.hotstate.jobs..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
        knowNothingOf(
                "dev.hotstate.jobs..",
                "dev.hotstate.limits..",
                "dev.hotstate.traffic..",
                "dev.hotstate.monitors..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
        knowNothingOf("dev.hotstate.limits..", "dev.hotstate.monitors..", "dev.hotstate.jobs..");
        knowNothingOf("dev.hotstate.traffic..", "dev.hotstate.monitors..", "dev.hotstate.jobs..");
    }

    /** What is decided of a driver is of one transaction with its reservation. */
    @Test
    void driversKnowTheStoreButNoOtherFeatureAndNoServer() {
        knowNothingOf(
                "dev.hotstate.drivers..",
                "dev.hotstate.limits..",
                "dev.hotstate.traffic..",
                "dev.hotstate.monitors..",
                "dev.hotstate.jobs..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
        for (var other : List.of("core", "store", "limits", "traffic", "monitors", "jobs")) {
            knowNothingOf("dev.hotstate." + other + "..", "dev.hotstate.drivers..");
        }
    }

    @Test
    void aGraphIsPureAndJobsDoNotKnowWhoWorksOnThem() {
        knowNothingOf(
                "dev.hotstate.jobs.graph..",
                "dev.hotstate.jobs",
                "dev.hotstate.jobs.work..",
                "dev.hotstate.store..",
                "io.lettuce..",
                "java.sql..");
        knowNothingOf("dev.hotstate.jobs", "dev.hotstate.jobs.work..");
    }

    /** A job is accepted, archived and brought back with statements of its own. */
    @Test
    void jobsKnowTheStoreButNoOtherFeatureAndNoServer() {
        knowNothingOf(
                "dev.hotstate.jobs..",
                "dev.hotstate.limits..",
                "dev.hotstate.traffic..",
                "dev.hotstate.monitors..",
                "dev.hotstate.server..",
                "dev.hotstate.testkit..");
        knowNothingOf("dev.hotstate.limits..", "dev.hotstate.jobs..");
        knowNothingOf("dev.hotstate.traffic..", "dev.hotstate.jobs..");
        knowNothingOf("dev.hotstate.monitors..", "dev.hotstate.jobs..");
        knowNothingOf("dev.hotstate.store..", "dev.hotstate.jobs..");
    }

    @Test
    void aGraphKnowsNeitherRedisNorPostgresAndJobsKnowNoWorker() {
        knowNothingOf(
                "dev.hotstate.jobs.graph..", "dev.hotstate.jobs", "dev.hotstate.jobs.work..", "dev.hotstate.store..");
        knowNothingOf("dev.hotstate.jobs", "dev.hotstate.jobs.work..");
    }

    @Test
    void thePartsOfMonitorsKnowNothingOfEachOtherNorOfTheWhole() {
        knowNothingOf(
                "dev.hotstate.monitors.check..",
                "dev.hotstate.monitors",
                "dev.hotstate.monitors.alert..",
                "dev.hotstate.monitors.history..");
        knowNothingOf(
                "dev.hotstate.monitors.alert..",
                "dev.hotstate.monitors",
                "dev.hotstate.monitors.check..",
                "dev.hotstate.monitors.history..");
        knowNothingOf(
                "dev.hotstate.monitors.history..",
                "dev.hotstate.monitors",
                "dev.hotstate.monitors.check..",
                "dev.hotstate.monitors.alert..");
    }

    @Test
    void theServerNeedsNoTestkit() {
        knowNothingOf("dev.hotstate.server..", "dev.hotstate.testkit..");
    }

    @Test
    void theTestkitKnowsNoProduct() {
        knowNothingOf("dev.hotstate.testkit..", "dev.hotstate.core..", "dev.hotstate.store..", "dev.hotstate.server..");
    }

    @Test
    void theHttpFrameAndTheConfigurationKnowNoFeature() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.hotstate.server.http..", "dev.hotstate.server.config..")
                .should()
                .dependOnClassesThat(resideInAPackage("dev.hotstate..")
                        .and(not(resideInAnyPackage(
                                "dev.hotstate.server.http..",
                                "dev.hotstate.server.config..",
                                "dev.hotstate.server.text..")))
                        .and(not(JavaClass.Predicates.type(Durations.class))))
                .because("features stand on them; what they need of a feature is passed to them")
                .check(PRODUCT);
    }

    @Test
    void theHttpFrameAndTheConfigurationDoNotKnowEachOther() {
        knowNothingOf("dev.hotstate.server.http..", "dev.hotstate.server.config..");
        knowNothingOf("dev.hotstate.server.config..", "dev.hotstate.server.http..");
    }

    @Test
    void packagesDoNotGoRoundInCircles() {
        slices().matching("dev.hotstate.(**)")
                .should()
                .beFreeOfCycles()
                .because("each package can then be read after those it stands on")
                .check(PRODUCT);
    }

    @Test
    void everyPackageIsNullMarked() {
        classes()
                .should(ArchCondition.from(describe(
                        "be in a null-marked package",
                        (JavaClass type) -> type.getPackage().isAnnotatedWith(NullMarked.class))))
                .because("a null that is not marked is then an error of the build")
                .check(PRODUCT);
    }

    @Test
    void namesSayWhatAClassDoes() {
        noClasses()
                .should()
                .haveNameMatching(".*(Manager|Helper|Utils?)(\\$.*)?")
                .because("such a name says nothing of the contract")
                .check(PRODUCT);
    }

    @Test
    void everyDeclaredServiceAndKeyIsPartOfTheKeyspace() {
        assertThat(constants(Service.class))
                .isNotEmpty()
                .allSatisfy(service -> assertThat(KEYSPACE.services()).contains(service));
        assertThat(constants(KeyFamily.class))
                .filteredOn(family -> !family.owner().equals("nobody"))
                .isNotEmpty()
                .allSatisfy(family -> assertThat(KEYSPACE.families()).contains(family));
        assertThat(PRODUCT.stream().filter(type -> type.getSimpleName().endsWith("Keys")))
                .isNotEmpty()
                .allSatisfy(type -> assertThat(constants(Stream.of(type), Service.class))
                        .as("the one service that %s declares", type.getName())
                        .hasSize(1));
    }

    @Test
    void everyLuaFileIsLoadedByOneScriptOfARegisteredServiceOrIsIncluded() {
        var files = LuaFile.onTheClassPath("dev/hotstate");
        var registered = KEYSPACE.services().stream()
                .flatMap(service -> service.scripts().stream())
                .map(Script::name)
                .toList();
        var included = files.stream().flatMap(file -> file.includes().stream()).toList();

        assertThat(files.stream().filter(LuaFile::isScript).map(LuaFile::name))
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(registered);
        assertThat(files.stream().filter(file -> !file.isScript()).map(LuaFile::name))
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .isSubsetOf(included);
    }

    private static void knowNothingOf(String packages, String... others) {
        noClasses()
                .that()
                .resideInAPackage(packages)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(others)
                .because("it is used by them, or has nothing to do with them")
                .check(PRODUCT);
    }

    /** By the simple name of the class, or of the one it is nested in. */
    private static DescribedPredicate<JavaClass> named(String pattern) {
        return describe("named " + pattern, type -> type.getName().matches("[\\w.]*\\.(" + pattern + ")(\\$.*)?"));
    }

    private static boolean readsTheWallClock(JavaAccess<?> access) {
        var owner = access.getTargetOwner();
        var name = access.getName();
        boolean ofJavaTime = owner.getPackageName().equals("java.time") && name.equals("now");
        boolean ofClock = (owner.isEquivalentTo(Clock.class) || owner.isEquivalentTo(InstantSource.class))
                && (name.startsWith("system") || name.startsWith("tick"));
        boolean ofSystem = owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis");
        boolean ofDate = owner.isEquivalentTo(Date.class) && name.equals("<init>");
        return ofJavaTime || ofClock || ofSystem || ofDate;
    }

    private static boolean prints(JavaAccess<?> access) {
        boolean toStandard = access.getTargetOwner().isEquivalentTo(System.class)
                && List.of("out", "err").contains(access.getName());
        return toStandard || access.getName().equals("printStackTrace");
    }

    private static <T> List<T> constants(Class<T> type) {
        return constants(PRODUCT.stream(), type);
    }

    private static <T> List<T> constants(Stream<JavaClass> classes, Class<T> type) {
        return classes.flatMap(owner -> owner.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> field.getRawType().isEquivalentTo(type))
                .map(field -> type.cast(value(field)))
                .toList();
    }

    private static Object value(JavaField constant) {
        try {
            var field = constant.reflect();
            field.setAccessible(true);
            return field.get(null);
        } catch (IllegalAccessException hidden) {
            throw new IllegalStateException(constant.getFullName(), hidden);
        }
    }
}
