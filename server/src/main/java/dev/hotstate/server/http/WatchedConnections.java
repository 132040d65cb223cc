package dev.hotstate.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.buffers.DataWriter;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.ListenerContext;
import io.helidon.webserver.ProxyProtocolData;
import io.helidon.webserver.Router;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;

/**
 * HTTP/1.1 as Helidon speaks it, but that what a client sends comes by way of {@link Incoming}. Helidon shows its handlers
 * nothing of a connection; this is where one can be asked whether its client is still there.
 */
final class WatchedConnections implements ServerConnectionSelector {
    private final ServerConnectionSelector http1;
    // A connection has a thread of its own, which ends with it.
    private final ThreadLocal<Incoming> incoming = new ThreadLocal<>();

    WatchedConnections(Http1Config config) {
        this.http1 = Http1ConnectionSelector.builder().config(config).build();
    }

    /** What comes on the connection whose call is answered by this thread. */
    Incoming ofThisThread() {
        return Objects.requireNonNull(incoming.get(), "not a thread of a connection");
    }

    @Override
    public ServerConnection connection(ConnectionContext context) {
        var own = new Incoming(context.dataReader());
        incoming.set(own);
        return http1.connection(new Watched(context, DataReader.create(own)));
    }

    @Override
    public int bytesToIdentifyConnection() {
        return http1.bytesToIdentifyConnection();
    }

    @Override
    public Support supports(BufferData data) {
        return http1.supports(data);
    }

    @Override
    public Set<String> supportedApplicationProtocols() {
        return http1.supportedApplicationProtocols();
    }

    /** The context of a connection in all but its reader. */
    record Watched(ConnectionContext context, DataReader dataReader) implements ConnectionContext {
        @Override
        public ListenerContext listenerContext() {
            return context.listenerContext();
        }

        @Override
        public ExecutorService executor() {
            return context.executor();
        }

        @Override
        public DataWriter dataWriter() {
            return context.dataWriter();
        }

        @Override
        public Router router() {
            return context.router();
        }

        @Override
        public Optional<ProxyProtocolData> proxyProtocolData() {
            return context.proxyProtocolData();
        }

        @Override
        public HelidonSocket serverSocket() {
            return context.serverSocket();
        }

        @Override
        public PeerInfo remotePeer() {
            return context.remotePeer();
        }

        @Override
        public PeerInfo localPeer() {
            return context.localPeer();
        }

        @Override
        public boolean isSecure() {
            return context.isSecure();
        }

        @Override
        public String socketId() {
            return context.socketId();
        }

        @Override
        public String childSocketId() {
            return context.childSocketId();
        }
    }
}
