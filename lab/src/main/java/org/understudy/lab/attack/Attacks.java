package org.understudy.lab.attack;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import org.understudy.lab.cluster.Envelopes;

/** The attacks of {@code docs/security.md}, in its order. */
final class Attacks {
  private static final int MEBIBYTE = 1 << 20;
  /** 40 at each replica. */
  private static final int BODY_CONNECTIONS = 120;
  private static final int BODIES_ADMITTED = 9;
  /** Of the connectors of {@code conf/server.xml}. */
  private static final int MORE_THAN_THREADS = 250;
  private static final Function<Target, List<InetSocketAddress>> HTTP = Target::http;
  private static final Function<Target, List<InetSocketAddress>> PEERS = Target::peers;

  private Attacks() {}

  /**
   * All of them.
   *
   * @param counter the path of a counter that the attacker has made
   * @param scale 1 for the sizes that once ended a group; tests take a tenth
   */
  static List<Attack> all(Target target, String counter, double scale) {
    String service = target.path();
    String replication = service.substring(0, service.indexOf('/', 1)) + "/replication";
    String run = UUID.randomUUID().toString();
    byte[] latin1 = LargeBodies.text(target, counter, StandardCharsets.ISO_8859_1, "\u00e9");
    List<Attack> all = new ArrayList<>(List.of(
        new HeldConnections("polls for an impossible epoch", scaled(4_500, scale), HTTP,
            target.post(replication, Envelopes.awaitView(1L << 62)), (byte) 0),
        new HeldConnections("polls for a future epoch", scaled(4_500, scale), HTTP,
            target.post(replication, Envelopes.awaitView(1L << 40)), (byte) 0),
        new RequestFlood("reads with a handle from the future", scaled(20_000, scale),
            n -> target.post(counter, Envelopes.getValue(
                "<ur:ReplicationHeader><ur:VersionHandle>1." + ((1L << 47) + n)
                    + "</ur:VersionHandle><ur:ReadLevel>session</ur:ReadLevel></ur:ReplicationHeader>"))),
        new HeldConnections("slow bodies", scaled(1_000, scale), HTTP,
            post(service, "text/xml", "Content-Length: 100000\r\n\r\n<"), (byte) ' '),
        new HeldConnections("slow headers", scaled(1_000, scale), HTTP,
            ascii("POST " + service + " HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "), (byte) 'x'),
        new HeldConnections("slow peer handshakes", scaled(100, scale), PEERS, new byte[] {0}, (byte) AnnouncedBytes.HELLO),
        new RequestFlood("sessions", scaled(120_000, scale),
            n -> target.post(replication, Envelopes.openSession(String.format(Locale.ROOT, "%s%016x",
                run.replace("-", "").substring(0, 16), n)))),
        new RequestFlood("message ids", scaled(50_000, scale),
            n -> target.post(counter, Envelopes.add(Envelopes.messageId("urn:uuid:" + run + "/" + n), 0))),
        new RequestFlood("states of 1 MB", scaled(2_000, scale),
            n -> target.post(service, Envelopes.createCounter(1_000_000))),
        new RequestFlood("faults that quote 4 MB", scaled(400, scale),
            n -> target.post(service + "/" + n, Envelopes.add(
                Envelopes.messageId("urn:fault:" + run + "/" + n) + "<wsa:To>" + "x".repeat(4 * MEBIBYTE - 4_096)
                    + "</wsa:To>", 1))),
        new RequestFlood("subscriptions", scaled(40_000, scale),
            n -> target.post(counter, Envelopes.subscribe("http://127.0.0.1:9/" + run + "/" + n,
                "<wsnt:MessageContent Dialect=\"http://www.w3.org/TR/1999/REC-xpath-19991116\">"
                    + "count(//*[count(//*) &gt; 1]) &gt; 0</wsnt:MessageContent>"))),
        new RequestFlood("pull points", scaled(4_000, scale),
            n -> target.post(beside(service, "CreatePullPoint"), Envelopes.createPullPoint())),
        new RequestFlood("service group entries", scaled(40_000, scale),
            n -> target.post(beside(service, "ServiceGroup"), Envelopes.addMember("http://127.0.0.1:9/" + run + "/" + n))),
        new RequestFlood("resources", scaled(40_000, scale), n -> target.post(service, Envelopes.createCounter(0))),
        new RequestFlood("hostile XML", scaled(4_000, scale), n -> HostileXml.request(target, service, n)),
        new RequestFlood("forged headers of a peer", scaled(4_000, scale),
            n -> target.post(counter, Envelopes.add("", 0), "Understudy-Forwarded: 1", "Understudy-Peer: 1 " + run,
                "Understudy-Disposition: result", "X-Forwarded-For: 127.0.0." + n % 250)),
        new RequestFlood("bodies of 4 MB", scaled(800, scale), n -> latin1).over(BODY_CONNECTIONS, Target::fromThreeAddresses),
        bodies("bodies of 4 MB in ISO-8859-1", scale, latin1),
        bodies("bodies of 4 MB in UTF-16", scale, LargeBodies.text(target, counter, StandardCharsets.UTF_16LE, "\u20ac")),
        bodies("bodies of 4 MB in UTF-8", scale, LargeBodies.text(target, counter, StandardCharsets.UTF_8, "\u20ac")),
        bodies("bodies of 4 MB in XOP", scale, LargeBodies.xop(target, counter)),
        bodies("compressed bodies", scale, LargeBodies.compressed(target, counter)),
        new RequestFlood("unused attachments", scaled(800, scale), n -> LargeBodies.unusedParts(target, counter, n))
            .over(BODIES_ADMITTED, Target::ofOneReplicaEach),
        new HeldConnections("announced lengths", scaled(1_000, scale), HTTP, n -> AnnouncedBytes.request(service, n), (byte) 0),
        new EndlessBodies("chunked bodies without end", scaled(BODY_CONNECTIONS, scale), service, "text/xml", begun()),
        new EndlessBodies("chunked forms without end", scaled(BODY_CONNECTIONS, scale), SessionAttacks.SHOP, SessionAttacks.FORM,
            SessionAttacks.ADD),
        new HeldConnections("announced frames", scaled(300, scale), PEERS, AnnouncedBytes::handshake, (byte) 0),
        new RequestFlood("faults that name 2 MB", scaled(400, scale), n -> HostileXml.longNames(target, service, n)),
        new RequestFlood("odd paths", scaled(8_000, scale), n -> OddRequests.path(target, counter, n)),
        new RequestFlood("addresses that are none", scaled(8_000, scale), n -> OddRequests.forwardedFor(target, counter, n))
            .over(MORE_THAN_THREADS, Target::fromProxy)));
    all.addAll(SessionAttacks.all(target, run, scale));
    return all;
  }

  /** The beginning of an envelope. */
  private static String begun() {
    String envelope = Envelopes.add("", 0);
    return envelope.substring(0, envelope.indexOf("<soap:Header>"));
  }

  /** So many at a time as replicas admit. */
  private static Attack bodies(String name, double scale, byte[] request) {
    return new RequestFlood(name, scaled(800, scale), n -> request).over(BODIES_ADMITTED, Target::ofOneReplicaEach);
  }

  static String beside(String service, String name) {
    return service.substring(0, service.lastIndexOf('/') + 1) + name;
  }

  static int scaled(int full, double scale) {
    return Math.max(1, (int) (full * scale));
  }

  /** @param rest the field that says how long the body is, the empty line, and what of the body is sent */
  static byte[] post(String path, String type, String rest) {
    return ascii("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: " + type + "\r\n" + rest);
  }

  static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
