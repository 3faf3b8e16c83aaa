package org.understudy.replication.runtime.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;

/** The credentials of a replica for its peers. One object for each start of a replica. */
public final class Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(Credentials.class);

  private final ReplicaId self;
  private final GroupDescription group;
  private final byte[] secret;
  private final ContentKey contentKey;
  /** Null when the services are not compared. */
  private final Supplier<List<ServedService>> services;
  /** The last advice about each peer. */
  private final Map<ReplicaId, String> advised = new ConcurrentHashMap<>();

  /**
   * Credentials of a replica whose services are not compared.
   *
   * @param secret known to the replicas of the group alone; it is never sent
   */
  public Credentials(ReplicaId self, GroupDescription group, byte[] secret) {
    this(self, group, secret, null);
  }

  /**
   * Credentials of a replica that serves services.
   *
   * @param secret as above
   * @param services called in every handshake; returns all services from the first handshake on
   */
  public Credentials(ReplicaId self, GroupDescription group, byte[] secret, Supplier<List<ServedService>> services) {
    this.self = self;
    this.group = group;
    this.secret = secret.clone();
    this.contentKey = ContentKey.fresh(secret);
    this.services = services;
  }

  public ReplicaId self() {
    return self;
  }

  GroupDescription group() {
    return services == null ? group : group.with(services.get());
  }

  /** Logs a setting that should be equal at a peer whose configuration is accepted, once while it differs in the same way. */
  void advise(GroupDescription peerDescription, ReplicaId peer) {
    String advice = group.advice(peerDescription, peer);
    String before = advice == null ? advised.remove(peer) : advised.put(peer, advice);
    if (advice != null && !advice.equals(before)) {
      LOG.warn(advice);
    }
  }

  byte[] secret() {
    return secret;
  }

  /** The content key of this replica. */
  ContentKey contentKey() {
    return contentKey;
  }

  /** HMAC-SHA256 over the label and the parts. */
  static byte[] hmac(byte[] key, String label, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
