package org.understudy.replication.runtime.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

class HandshakeTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);
  private static final Map<ReplicaId, String> URLS = Map.of(ONE, "http://a/x", TWO, "http://b/x", THREE, "http://c/x");
  private static final Map<ReplicaId, String> PEERS = Map.of(ONE, "a:1", TWO, "b:1", THREE, "c:1");
  private static final GroupDescription GROUP = new GroupDescription("g", "primary-backup", URLS, PEERS);

  private record Ends(PeerSession dialer, PeerSession acceptor) {}

  private static Credentials of(ReplicaId self, GroupDescription group, String secret) {
    return new Credentials(self, group, secret.getBytes(StandardCharsets.UTF_8));
  }

  private static Credentials of(ReplicaId self) {
    return of(self, GROUP, "a long secret word");
  }

  private static Ends shake(Credentials dialing, ReplicaId to, Credentials accepting) throws Exception {
    Dialer dialer = new Dialer(dialing, to);
    Acceptor acceptor = new Acceptor(accepting);
    byte[] answer = acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())));
    PeerSession ofDialer = dialer.complete(answer);
    PeerSession ofAcceptor = acceptor.complete();
    assertEquals(dialing.self(), acceptor.peer());
    return new Ends(ofDialer, ofAcceptor);
  }

  @Test
  void bothEndsDeriveEqualAndFreshKeys() throws Exception {
    Ends ends = shake(of(ONE), TWO, of(TWO));
    byte[] digest = new byte[32];
    byte[] tag = new byte[16];
    byte[] again = new byte[16];
    ends.dialer.outgoing().seal(digest, tag, 0);
    assertTrue(ends.acceptor.incoming().verify(digest, tag, 0));
    assertFalse(ends.acceptor.incoming().verify(digest, tag, 0), "the same frame again");
    ends.acceptor.outgoing().seal(digest, tag, 0);
    assertTrue(ends.dialer.incoming().verify(digest, tag, 0));
    shake(of(ONE), TWO, of(TWO)).dialer.outgoing().seal(digest, again, 0);
    assertFalse(java.util.Arrays.equals(tag, again));
  }

  @Test
  void bothEndsComputeTheSameDigest() throws Exception {
    Credentials one = of(ONE);
    Ends ends = shake(one, TWO, of(TWO));
    byte[] content = "an update".getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(digest(ends.dialer.outgoingContent(), content), digest(ends.acceptor.incomingContent(), content));
    assertArrayEquals(digest(ends.acceptor.outgoingContent(), content), digest(ends.dialer.incomingContent(), content));
    assertFalse(java.util.Arrays.equals(
        digest(ends.dialer.outgoingContent(), content), digest(ends.acceptor.outgoingContent(), content)));
    assertArrayEquals(
        digest(ends.dialer.outgoingContent(), content),
        digest(shake(one, THREE, of(THREE)).dialer.outgoingContent(), content),
        "for another peer");
    assertFalse(
        java.util.Arrays.equals(
            digest(ends.dialer.outgoingContent(), content),
            digest(shake(of(ONE), TWO, of(TWO)).dialer.outgoingContent(), content)),
        "after a restart");
  }

  private static byte[] digest(ContentDigest with, byte[] content) {
    with.update(content, 0, content.length);
    return with.digest();
  }

  @Test
  void wrongSecretIsReportedOnBothSides() {
    Dialer dialer = new Dialer(of(ONE, GROUP, "not the secret word"), TWO);
    Acceptor acceptor = new Acceptor(of(TWO));
    RefusedPeerException there = assertThrows(RefusedPeerException.class, () -> acceptor.reply(dialer.hello()));
    assertEquals(Reason.SECRET, there.reason());
    RefusedPeerException here =
        assertThrows(RefusedPeerException.class, () -> dialer.confirm(Acceptor.notice(there)));
    assertEquals(Reason.SECRET, here.reason());
    assertTrue(here.getMessage().contains("understudy.secret"), here.getMessage());
    assertFalse((here.getMessage() + there.getMessage()).contains("secret word"));
  }

  @Test
  void wrongGroupIsDistinguishedFromAWrongSecret() {
    refused(of(ONE, new GroupDescription("other", "primary-backup", URLS, PEERS), "a long secret word"), TWO, of(TWO),
        "It belongs to group \"g\", this replica to group \"other\" (understudy.group).",
        "It belongs to group \"other\", this replica to group \"g\" (understudy.group).");
  }

  @Test
  void otherStrategyIsRefusedNamingBoth() {
    GroupDescription active = new GroupDescription("g", "active", URLS, PEERS);
    refused(of(ONE, active, "a long secret word"), TWO, of(TWO),
        "It runs the strategy primary-backup, this replica the strategy active (understudy.strategy).",
        "It runs the strategy active, this replica the strategy primary-backup (understudy.strategy).");
  }

  @Test
  void otherGroupChannelIsRefusedNamingBoth() {
    refused(of(ONE, GROUP.over("jgroups"), "a long secret word"), TWO, of(TWO),
        "It uses the group channel log, this replica jgroups (understudy.channel).",
        "It uses the group channel jgroups, this replica log (understudy.channel).");
  }

  @Test
  void missingCommonWireVersionIsRefusedNamingBoth() {
    WireVersions mine = WireVersions.CURRENT;
    WireVersions others = new WireVersions(mine.newest() + 1, mine.newest() + 2);
    String known = mine.oldest() + " to " + mine.newest();
    String unknown = others.oldest() + " to " + others.newest();
    GroupDescription later = new GroupDescription("g", "primary-backup", others, URLS, PEERS, null);
    refused(of(ONE, later, "a long secret word"), TWO, of(TWO),
        "It reads wire versions " + known + ", this replica versions " + unknown + ".",
        "It reads wire versions " + unknown + ", this replica versions " + known + ".");
  }

  @Test
  void differencesInTheListsAreNamedOnBothSides() {
    GroupDescription twoOfThree =
        new GroupDescription("g", "primary-backup", Map.of(ONE, "http://a/x", TWO, "http://b/x"), Map.of(ONE, "a:1", TWO, "b:1"));
    refused(of(ONE, twoOfThree, "a long secret word"), TWO, of(TWO),
        "understudy.replicas of replica 2 lists replica 3, this one's does not",
        "understudy.replicas of replica 1 does not list replica 3");
    GroupDescription alone = new GroupDescription("g", "primary-backup", Map.of(TWO, "http://b/x"), Map.of(TWO, "b:1"));
    refused(of(ONE), TWO, of(TWO, alone, "a long secret word"),
        "understudy.replicas of replica 2 does not list replica 1",
        "understudy.replicas of replica 1 lists replica 1, this one's does not");
    GroupDescription wrongUrl =
        new GroupDescription("g", "primary-backup", Map.of(ONE, "http://a/x", TWO, "http://b/x", THREE, "http://d/x"), PEERS);
    refused(of(ONE, wrongUrl, "a long secret word"), TWO, of(TWO),
        "gives replica 3 the address http://d/x here and http://c/x at replica 2",
        "gives replica 3 the address http://c/x here and http://d/x at replica 1");
  }

  @Test
  void wrongNumberIsNamed() {
    refused(of(ONE), TWO, of(THREE), "It is replica 3", "It expects replica 2 at this address, and this is replica 3");
    refused(of(TWO), ONE, of(TWO), "It is replica 2", "It claims to be replica 2 (understudy.replica), and this is "
        + "replica 2");
  }

  private static void refused(Credentials dialing, ReplicaId to, Credentials accepting, String atDialer, String atAcceptor) {
    Dialer dialer = new Dialer(dialing, to);
    Acceptor acceptor = new Acceptor(accepting);
    RefusedPeerException here = assertThrows(RefusedPeerException.class, () ->
        dialer.complete(acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())))));
    RefusedPeerException there = assertThrows(RefusedPeerException.class, acceptor::complete);
    assertEquals(Reason.CONFIGURATION, here.reason());
    assertTrue(here.getMessage().contains(atDialer), here.getMessage());
    assertTrue(there.getMessage().contains(atAcceptor), there.getMessage());
  }

  @Test
  void messagesOfAnotherHandshakeAndAlteredOnesAreRefused() throws Exception {
    Dialer dialer = new Dialer(of(ONE), TWO);
    Acceptor acceptor = new Acceptor(of(TWO));
    byte[] hello = dialer.hello();
    byte[] confirm = dialer.confirm(acceptor.reply(hello));
    Acceptor later = new Acceptor(of(TWO));
    later.reply(hello);
    assertEquals(Reason.FORGED, assertThrows(RefusedPeerException.class, () -> later.answer(confirm)).reason());
    for (int i = 0; i < confirm.length; i++) {
      byte[] altered = confirm.clone();
      altered[i] ^= 4;
      Acceptor one = acceptor;
      assertThrows(java.io.IOException.class, () -> one.answer(altered));
    }
    for (int i = 4; i < hello.length; i++) {
      byte[] altered = hello.clone();
      altered[i] ^= 4;
      assertThrows(RefusedPeerException.class, () -> new Acceptor(of(TWO)).reply(altered));
    }
  }

  @Test
  void descriptionIsDecodedAsEncoded() throws Exception {
    byte[] bytes = GROUP.encode();
    assertEquals(GROUP, GroupDescription.decode(bytes, 0, bytes.length));
    assertArrayEquals(bytes, GroupDescription.decode(bytes, 0, bytes.length).encode());
  }

  @Test
  void peerTextCannotForgeLogLines() {
    GroupDescription forging = new GroupDescription("g\r\n2026 WARN all is lost" + "x".repeat(1_000), "primary-backup", URLS, PEERS);
    String line = GROUP.difference(forging, TWO);
    assertEquals(1, line.lines().count(), line);
    assertTrue(line.contains("g??2026 WARN all is lost") && line.length() < 500, line);
  }

  @Test
  void theEndOfAStreamHasAReason() {
    assertEquals("the connection has ended", RefusalLog.printable(new EOFException()));
    assertEquals("no?route", RefusalLog.printable(new IOException("no\nroute")));
  }

  @Test
  void refusalsAreLoggedOnceAMinuteForEachCause() {
    RefusalLog log = new RefusalLog();
    long minute = 60_000_000_000L;
    assertTrue(log.isDue("a", 5));
    assertFalse(log.isDue("a", 5 + minute - 1));
    assertTrue(log.isDue("b", 6));
    assertTrue(log.isDue("a", 5 + minute));
  }
}
