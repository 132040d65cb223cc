package dev.hotstate.monitors.check;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A name server on a free loopback port, for what a test tells it; of all else it says that there is no such name. */
final class TinyNameServer implements AutoCloseable {
    private final ConcurrentMap<String, List<Record>> records = new ConcurrentHashMap<>();
    private final Map<String, Integer> failing = new ConcurrentHashMap<>();
    private final DatagramSocket socket;

    private TinyNameServer(DatagramSocket socket) {
        this.socket = socket;
    }

    static TinyNameServer start() throws IOException {
        var server = new TinyNameServer(new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        Thread.ofVirtual().start(server::serve);
        return server;
    }

    TinyNameServer with(String name, String type, String... data) {
        List<Record> all =
                Arrays.stream(data).map(one -> record(name, type, one)).toList();
        records.put(name + " " + type, all);
        return this;
    }

    TinyNameServer failing(String name, int rcode) {
        failing.put(name, rcode);
        return this;
    }

    String address() {
        return "127.0.0.1:" + socket.getLocalPort();
    }

    @Override
    public void close() {
        socket.close();
    }

    private static Record record(String name, String type, String data) {
        try {
            return Record.fromString(Name.fromString(name + "."), Type.value(type), DClass.IN, 60, data, Name.root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve() {
        try {
            while (true) {
                var packet = new DatagramPacket(new byte[4096], 4096);
                socket.receive(packet);
                byte[] bytes = Arrays.copyOf(packet.getData(), packet.getLength());
                byte[] answer = answer(new Message(bytes)).toWire();
                socket.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private Message answer(Message query) {
        Record question = query.getQuestion();
        String name = question.getName().toString(true);
        var answer = new Message(query.getHeader().getID());
        answer.getHeader().setFlag(Flags.QR);
        answer.getHeader().setFlag(Flags.RA);
        answer.addRecord(question, Section.QUESTION);
        List<Record> found = records.get(name + " " + Type.string(question.getType()));
        boolean known = records.keySet().stream().anyMatch(key -> key.startsWith(name + " "));
        answer.getHeader().setRcode(failing.getOrDefault(name, known ? Rcode.NOERROR : Rcode.NXDOMAIN));
        if (found != null) {
            found.forEach(one -> answer.addRecord(one, Section.ANSWER));
        }
        return answer;
    }
}
