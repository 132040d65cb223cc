package dev.hotstate.server.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.hotstate.testkit.Eventually;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A real Chromium without a window, on a profile of its own. It asks nothing of any other machine. */
final class Browser implements AutoCloseable {
    private static final List<String> USUAL_PLACES =
            List.of("/usr/bin", "/usr/local/bin", "/usr/lib/chromium", "/snap/bin", "/opt/homebrew/bin");

    /** What has no box of its own is shown if anything in it is; a choice, if its list is. */
    private static final String SHOWN = """
            const inside = (element) => [...(element.shadowRoot ?? element).children];
            const hasBox = (element) => [...element.getClientRects()].some((box) => box.width > 0 && box.height > 0);
            const isVisible = (element) => getComputedStyle(element).display === 'contents'
                || element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
            const isShown = (element) => element.localName === 'option'
                ? isShown(element.closest('select'))
                : isVisible(element) && (hasBox(element) || inside(element).some(isShown));
            return [...document.querySelectorAll(arguments[0])].filter(isShown);""";

    private final Path profile;
    private final ChromeDriver driver;

    Browser() {
        try {
            this.profile = Files.createTempDirectory("hotstate-browser");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        var service = new ChromeDriverService.Builder()
                .usingDriverExecutable(program("chromedriver").toFile())
                .usingAnyFreePort()
                .build();
        this.driver = new ChromeDriver(service, options());
        driver.manage().window().setSize(new Dimension(1280, 900));
    }

    void open(String url) {
        driver.get(url);
    }

    /** Waits for an element that is shown. */
    WebElement await(String css) {
        var found = new ArrayList<WebElement>();
        Eventually.until("the page shows " + css, () -> {
            found.clear();
            found.addAll(shown(css));
            return !found.isEmpty();
        });
        return found.getFirst();
    }

    /** Waits until the first element of that kind says this. */
    void awaitText(String css, String text) {
        Eventually.until("%s says \"%s\"".formatted(css, text), () -> {
            try {
                return await(css).getText().contains(text);
            } catch (StaleElementReferenceException renderedAnew) {
                return false;
            }
        });
    }

    /** Asks once for all, however many there are. */
    @SuppressWarnings("unchecked")
    List<WebElement> shown(String css) {
        try {
            return (List<WebElement>) driver.executeScript(SHOWN, css);
        } catch (StaleElementReferenceException renderedAnew) {
            return List.of();
        }
    }

    void press(Keys key) {
        driver.switchTo().activeElement().sendKeys(key);
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    Object run(String script) {
        return driver.executeScript(script);
    }

    void reload() {
        driver.navigate().refresh();
    }

    /** Forgets what was logged and kept so far. */
    void forget() {
        driver.manage().deleteAllCookies();
        driver.manage().logs().get(LogType.BROWSER);
    }

    /** Scripts that failed, files that are missing, what the content security policy stopped. */
    void assertNoErrors(String... expected) {
        var errors = driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(entry -> entry.getMessage())
                .filter(message -> Arrays.stream(expected).noneMatch(message::matches))
                .toList();
        assertThat(errors).isEmpty();
    }

    private ChromeOptions options() {
        var logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        var options = new ChromeOptions();
        options.setBinary(chromium().toFile());
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--force-prefers-reduced-motion",
                "--user-data-dir=" + profile);
        return options;
    }

    private static Path chromium() {
        return Stream.of("chromium", "chromium-browser", "google-chrome")
                .flatMap(Browser::places)
                .findFirst()
                .orElseGet(() -> program("chromium"));
    }

    private static Path program(String name) {
        return places(name)
                .findFirst()
                .orElseThrow(() -> new AssertionError(name
                        + " is not installed: the dashboard is tested in a real browser; on Debian,"
                        + " apt-get install chromium chromium-driver"));
    }

    private static Stream<Path> places(String name) {
        var path = Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator));
        return Stream.concat(path, USUAL_PLACES.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable);
    }

    @Override
    public void close() {
        driver.quit();
        try (var files = Files.walk(profile)) {
            files.sorted((a, b) -> b.compareTo(a)).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException busy) {
            // The browser's last processes may still write; the folder is a temporary one.
        }
    }
}
