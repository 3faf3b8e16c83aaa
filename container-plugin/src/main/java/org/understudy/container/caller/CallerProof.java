package org.understudy.container.caller;

import jakarta.servlet.http.HttpServletRequest;
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
 * it reads the body. A proof is valid once, for one start of the receiver: it names the receiver's instance (a random number
 * of its start) and a counter of the sender's own instance. No clocks are compared. Thread-safe.
 */
public final class CallerProof {
  /** The header of a forwarded request. An invalid value, for example from a client, is ignored. */
  public static final String HEADER = "Understudy-Caller";
  /** The header of a response to a forwarded request: the instance for which proofs are valid. */
  public static final String INSTANCE = "Understudy-Instance";
  private static final int FIELDS = 8;
  private static final String ATTRIBUTE = CallerProof.class.getName();
  private static final int MAX_CHARACTERS = 4_096;
  private static final String UNKNOWN = "0";

  /**
   * The content of a valid proof.
   *
   * @param fresh false when the proof was made for another instance of this replica, or is a duplicate: nothing may be executed
   */
  public record Proved(Caller caller, boolean fresh) {}

  /** The content of a valid header, provided that the body has this digest; {@link #NOTHING} for an invalid header. */
  private record Head(Proved proved, ReplicaId from, String digest) {}

  private static final Head NOTHING = new Head(null, null, null);

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
   */
  public String prove(ReplicaId to, String path, byte[] body, Caller caller) {
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
            digest(body));
    return claim + "." + HexFormat.of().formatHex(mac(claim, to, path));
  }

  /**
   * Verifies the proof of a forwarded request; null when it is missing or invalid.
   *
   * @param path of the request within the web application, decoded
   */
  public Proved verify(HttpServletRequest request, String path, byte[] body) {
    Head head = head(request, path);
    return head != NOTHING && head.digest().equals(digest(body)) ? head.proved() : null;
  }

  /**
   * Returns the owner of the share against which a request counts while its body arrives. This is the client for which another
   * replica forwards, since the header can be verified before the body. It is that replica while it does not know this
   * instance. A body that differs from the proved one is not executed for that client.
   */
  public String owner(HttpServletRequest request) {
    if (!isForwarded(request)) {
      return Caller.of(request).owner();
    }
    Head head = head(request, RequestTarget.path(request));
    return head.proved().fresh() ? head.proved().caller().owner() : "replica:" + head.from();
  }

  /** Whether another replica forwards a request. Its body is not known yet. */
  public boolean isForwarded(HttpServletRequest request) {
    return request.getHeader(HEADER) != null && head(request, RequestTarget.path(request)) != NOTHING;
  }

  /** Verifies each header only once, because it is valid only once. */
  private Head head(HttpServletRequest request, String path) {
    if (request.getAttribute(ATTRIBUTE) instanceof Head known) {
      return known;
    }
    Head head = read(request, path);
    request.setAttribute(ATTRIBUTE, head);
    return head;
  }

  private Head read(HttpServletRequest request, String path) {
    String value = configuration.replicated() ? request.getHeader(HEADER) : null;
    String[] fields = value == null || value.length() > MAX_CHARACTERS ? new String[0] : value.split("\\.", -1);
    if (fields.length != FIELDS) {
      return NOTHING;
    }
    try {
      String claim = value.substring(0, value.lastIndexOf('.'));
      byte[] expected = mac(claim, configuration.self(), path);
      ReplicaId from = new ReplicaId(Integer.parseInt(fields[0]));
      if (!MessageDigest.isEqual(expected, HexFormat.of().parseHex(fields[FIELDS - 1]))
          || !configuration.replicas().contains(from)) {
        return NOTHING;
      }
      Caller caller = new Caller(text(fields[4]), text(fields[5]));
      boolean fresh = fields[3].equals(instance) && isNew(from, fields[1], Long.parseLong(fields[2]));
      return new Head(new Proved(caller, fresh), from, fields[6]);
    } catch (IllegalArgumentException e) {
      return NOTHING;
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

  private static String digest(byte[] body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  private byte[] mac(String claim, ReplicaId to, String path) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(configuration.secret(), "HmacSHA256"));
      String group = HexFormat.of().formatHex(configuration.group().getBytes(StandardCharsets.UTF_8));
      String text = "forward|" + group + "|" + to + "|" + claim + "|POST|" + path;
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
