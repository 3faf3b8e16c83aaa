package org.understudy.container.transaction;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.xml.stream.XMLStreamException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseReader;
import org.understudy.soap.xml.HardenedXmlReader;

/**
 * Logs that a configured group refuses this group's messages, for example because the secrets differ: at WARN, once a minute for each
 * group. Other failures pass, like those of a failover. Thread-safe.
 */
final class PeerRefusals {
  private static final Logger LOG = LoggerFactory.getLogger(PeerRefusals.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int MAX_CHARS = 300;

  private final Map<String, Long> logged = new ConcurrentHashMap<>();

  /** @param body of an answer without a true proof, which anybody on the network can have written */
  void answered(String group, URI address, byte[] body) {
    String reason = reason(body);
    if (reason != null && isDue(group)) {
      LOG.warn(
          "The group {} refuses messages about transactions at {}: {} Transactions with it abort, and decisions wait. Compare "
              + "understudy.group, understudy.transaction.peers and understudy.transaction.secret of both groups.",
          group, address, reason);
    }
  }

  /** Returns the reason of a refusal that a repetition does not change, in one line; null if it is none. */
  private static String reason(byte[] body) {
    try {
      ResponseReader response = new ResponseReader(HardenedXmlReader.openBounded(body, body.length));
      response.readHeader();
      ReplicationFault fault = response.readRefusal();
      if (fault == null || fault.known() != FailureCode.BadRequest) {
        return null;
      }
      String line = fault.reason().replaceAll("[^ -~]", "?");
      return line.length() > MAX_CHARS ? line.substring(0, MAX_CHARS) + "…" : line;
    } catch (XMLStreamException | IllegalArgumentException | IllegalStateException e) {
      return null;
    }
  }

  private boolean isDue(String group) {
    long now = System.nanoTime();
    Long before = logged.putIfAbsent(group, now);
    return before == null || now - before > PAUSE_NANOS && logged.replace(group, before, now);
  }
}
