package org.understudy.container.peer;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;

/**
 * What a replica shows to prove itself to another over HTTP: HMAC-SHA256 under the shared secret of group, sender and
 * receiver, in the header {@code Understudy-Peer}. It does not protect against who can read the wire; TLS does.
 */
public final class PeerCredentials {
  static final String HEADER = "Understudy-Peer";

  private final Configuration configuration;
  private final Map<ReplicaId, byte[]> expected = new TreeMap<>();

  public PeerCredentials(Configuration configuration) {
    this.configuration = configuration;
    if (configuration.replicated()) {
      for (ReplicaId peer : configuration.replicas()) {
        expected.put(peer, value(peer, configuration.self()).getBytes(StandardCharsets.US_ASCII));
      }
    }
  }

  /** The header's value for messages to that replica. */
  String to(ReplicaId peer) {
    return value(configuration.self(), peer);
  }

  /** Who shows this value, or null for a stranger. */
  ReplicaId verify(String value) {
    int space = value == null ? -1 : value.indexOf(' ');
    if (space < 1 || space > 2) {
      return null;
    }
    try {
      ReplicaId peer = new ReplicaId(Integer.parseInt(value.substring(0, space)));
      byte[] proof = expected.get(peer);
      boolean known = proof != null && MessageDigest.isEqual(proof, value.getBytes(StandardCharsets.US_ASCII));
      return known ? peer : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private String value(ReplicaId from, ReplicaId to) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(configuration.secret(), "HmacSHA256"));
      String text = "peer|" + configuration.group() + "|" + from + "|" + to;
      byte[] proof = mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
      return from + " " + HexFormat.of().formatHex(proof);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
