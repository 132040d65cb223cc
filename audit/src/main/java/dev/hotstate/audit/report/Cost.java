package dev.hotstate.audit.report;

/**
 * What the audit itself cost.
 *
 * @param millis how long it took
 * @param commands sent to all nodes
 * @param bytesSent estimated from what was sent
 * @param bytesReceived estimated from the answers
 * @param redisCpuMillis what the nodes' main processes worked meanwhile, for whomever; -1 where they did not tell
 * @param keysPerSecond names read
 * @param batch the COUNT of SCAN that it settled on
 * @param slowestMillis the longest it waited for an answer
 */
public record Cost(
        long millis,
        long commands,
        long bytesSent,
        long bytesReceived,
        long redisCpuMillis,
        double keysPerSecond,
        int batch,
        double slowestMillis) {}
