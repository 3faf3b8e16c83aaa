package org.understudy.container.caller;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;

/**
 * Proves to a replica for which client another replica forwards a request. The proof is an HMAC-SHA256 under the group's
 * secret over sender, receiver, path, the body's digest, principal and address. The receiver thus identifies the client before
 * it reads the body, which begins with all else that the client has sent. A proof is valid once, for one start of the receiver: it
 * names the receiver's instance (a random number of its start) and a counter of the sender's own instance. No clocks are compared.
 * Thread-safe.
 */
public final class CallerProof {
  /** The header of a forwarded request. An invalid value, for example from a client, is ignored. */
  public static final String HEADER = "Understudy-Caller";
  /** The header of a response to a forwarded request: the instance for which proofs are valid. */
  public static final String INSTANCE = "Understudy-Instance";
  private static final int FIELDS = 8;
  private static final int MAX_CHARACTERS = 4_096;
  private static final String UNKNOWN = "0";

  /**
   * The content of a valid proof.
   *
   * @param from the forwarding replica
   * @param digest of the only body for which it is valid
   * @param fresh false when the proof was made for another instance of this replica, or is a duplicate: nothing may be executed
   */
  public record Proved(ReplicaId from, Caller caller, String digest, boolean fresh) {}

  private final Configuration configuration;
  private final String instance = HexFormat.of().toHexDigits(new SecureRandom().nextLong());
  private final AtomicLong counter = new AtomicLong();
  /** The last known instances of the other replicas. */
  private final Map<ReplicaId, String> instances = new ConcurrentHashMap<>();
  /** The proofs received from each other replica. Guarded by itself. */
  private final Map<ReplicaId, Sender> senders = new TreeMap<>();

  /** The proofs of one other replica: the counters of its current instance, and its ended instances. */
  private static final class Sender {
    final Set<String> ended = new HashSet<>();
    String instance;
    CounterWindow counters;
  }

  public CallerProof(Configuration configuration) {
    this.configuration = configuration;
  }

  public String instance() {
    return instance;
  }

  /** Records the instance that another replica's response names. Returns whether it has changed. */
  public boolean learn(ReplicaId replica, String itsInstance) {
    return itsInstance != null
        && itsInstance.length() <= 16
        && !itsInstance.equals(instances.put(replica, itsInstance));
  }

  /**
   * Returns the header's value for one attempt to forward.
   *
   * @param path within the web application, decoded
   * @param digest of the whole body, of {@link #digest}
   */
  public String prove(ReplicaId to, String path, String digest, Caller caller) {
    Base64.Encoder base64 = Base64.getUrlEncoder().withoutPadding();
    String claim =
        String.join(
            ".",
            configuration.self().toString(),
            instance,
            Long.toString(counter.getAndIncrement()),
            instances.getOrDefault(to, UNKNOWN),
            base64.encodeToString(caller.principal().getBytes(StandardCharsets.UTF_8)),
            base64.encodeToString(caller.address().getBytes(StandardCharsets.UTF_8)),
            digest);
    return claim + "." + HexFormat.of().formatHex(mac(claim, to, path));
  }

  /** Returns what digests a body. */
  public static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** Returns the digest of a body in the form in which a proof names it. */
  public static String text(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /**
   * Verifies the proof of a forwarded request before its body is read. Verify each header once, because it is valid once. Nothing may be
   * executed for the client if the body has another digest.
   *
   * @param value of the header, or null
   * @param path of the request within the web application, decoded
   * @return null when the proof is missing, invalid, or of another group
   */
  public Proved verify(String value, String path) {
    String[] fields =
        value == null || !configuration.replicated() || value.length() > MAX_CHARACTERS ? new String[0] : value.split("\\.", -1);
    if (fields.length != FIELDS) {
      return null;
    }
    try {
      String claim = value.substring(0, value.lastIndexOf('.'));
      byte[] expected = mac(claim, configuration.self(), path);
      ReplicaId from = new ReplicaId(Integer.parseInt(fields[0]));
      if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(fields[FIELDS - 1]))
          || !configuration.replicas().contains(from)) {
        return null;
      }
      Caller caller = new Caller(text(fields[4]), text(fields[5]));
      boolean fresh = fields[3].equals(instance) && isNew(from, fields[1], Long.parseLong(fields[2]));
      return new Proved(from, caller, fields[6], fresh);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String text(String base64) {
    return new String(Base64.getUrlDecoder().decode(base64), StandardCharsets.UTF_8);
  }

  private boolean isNew(ReplicaId from, String itsInstance, long itsCounter) {
    synchronized (senders) {
      Sender sender = senders.computeIfAbsent(from, id -> new Sender());
      if (sender.ended.contains(itsInstance)) {
        return false;
      }
      if (!itsInstance.equals(sender.instance)) {
        if (sender.instance != null) {
          sender.ended.add(sender.instance);
        }
        sender.instance = itsInstance;
        sender.counters = new CounterWindow();
      }
      return sender.counters.add(itsCounter);
    }
  }

  private byte[] mac(String claim, ReplicaId to, String path) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(configuration.secret(), "HmacSHA256"));
      String group = HexFormat.of().formatHex(configuration.group().getBytes(StandardCharsets.UTF_8));
      String text = "forward2|" + group + "|" + to + "|" + claim + "|POST|" + path;
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
