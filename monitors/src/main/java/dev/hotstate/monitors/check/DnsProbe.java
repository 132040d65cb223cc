package dev.hotstate.monitors.check;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.ReverseMap;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.TextParseException;
import org.xbill.DNS.Type;

/** What a name server answers now: nothing is kept, and the hosts file is not asked. */
final class DnsProbe implements Probe {
    private final Dialer dialer;
    private final Resolver system;

    DnsProbe(Dialer dialer, Resolver system) {
        this.dialer = dialer;
        this.system = system;
    }

    @Override
    public void ask(CheckSpec spec, Deadline deadline, Evidence evidence) throws CheckFailedException {
        String name = spec.where().host();
        int type = Type.value(spec.options().recordType());
        Resolver resolver = resolver(spec.options().resolver(), deadline, evidence);
        String question = spec.options().recordType() + " of " + name;
        Message answer = answer(resolver, Record.newRecord(name(name, type), type, DClass.IN), question, deadline);
        evidence.answers = answers(answer, type, question);
    }

    private Resolver resolver(@Nullable String resolver, Deadline deadline, Evidence evidence)
            throws CheckFailedException {
        if (resolver == null) {
            return system;
        }
        Target server = Target.hostAndPort("host or host:port", resolver, 53);
        InetAddress address =
                dialer.addresses(server.host(), deadline, evidence).getFirst();
        return NameServers.resolver(new InetSocketAddress(address, server.port()));
    }

    /** Of an address its name is asked for, as people expect of PTR. */
    private static Name name(String name, int type) throws CheckFailedException {
        try {
            Optional<InetAddress> address = type == Type.PTR ? Addresses.literal(name) : Optional.empty();
            return address.isPresent() ? ReverseMap.fromAddress(address.get()) : Name.fromString(name, Name.root);
        } catch (TextParseException e) {
            throw new CheckFailedException(Failure.TARGET, name + " cannot be asked for: " + e.getMessage());
        }
    }

    private static Message answer(Resolver resolver, Record question, String words, Deadline deadline)
            throws CheckFailedException {
        try {
            return NameResolver.await(
                    resolver.sendAsync(Message.newQuery(question)), "asking for the " + words, deadline);
        } catch (ExecutionException e) {
            throw new CheckFailedException(Failure.NAME_SERVER, "no name server answered when asked for the " + words);
        }
    }

    private static List<String> answers(Message answer, int type, String question) throws CheckFailedException {
        if (answer.getRcode() == Rcode.NXDOMAIN) {
            throw new CheckFailedException(
                    Failure.NAME_UNKNOWN, "there is no such name (NXDOMAIN), asked for the " + question);
        }
        if (answer.getRcode() != Rcode.NOERROR) {
            throw new CheckFailedException(
                    Failure.NAME_SERVER,
                    "the name server answered " + Rcode.string(answer.getRcode()) + ", asked for the " + question);
        }
        return answer.getSection(Section.ANSWER).stream()
                .filter(one -> one.getType() == type)
                .map(DnsProbe::text)
                .toList();
    }

    /** As people write it: names without their last dot, texts without quotes and in one piece. */
    private static String text(Record record) {
        return record instanceof TXTRecord text
                ? String.join("", text.getStrings())
                : record.rdataToString().replaceAll("\\.(?=\\s|$)", "");
    }
}
