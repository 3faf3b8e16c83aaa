package org.understudy.replication.runtime.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

class ServedServiceTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Map<ReplicaId, String> LIST = Map.of(ONE, "a:1", TWO, "b:1");
  private static final GroupDescription GROUP = new GroupDescription("g", "primary-backup", LIST, LIST);
  private static final ServedService CART =
      service(
          "/services/Cart", Map.of("understudy.wsrf", "on"), "01aa",
          Map.of("x.Cart", List.of("x.Cart.total:long", "x.Cart.of:x.Item")));

  private static ServedService service(
      String path, Map<String, String> settings, String shape, Map<String, List<String>> classes) {
    return new ServedService(path, new TreeMap<>(settings), shape, new TreeMap<>(classes));
  }

  private static Credentials of(ReplicaId self, List<ServedService> services) {
    return new Credentials(self, GROUP, "a secret of a group".getBytes(StandardCharsets.UTF_8), () -> services);
  }

  /** The reason at the dialer, after checking that the acceptor refuses too; null when both accept. */
  private static String refusal(List<ServedService> dialling, List<ServedService> accepting) throws IOException {
    Dialer dialer = new Dialer(of(ONE, dialling), TWO);
    Acceptor acceptor = new Acceptor(of(TWO, accepting));
    byte[] answer = acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())));
    try {
      dialer.complete(answer);
    } catch (RefusedPeerException e) {
      assertEquals(Reason.CONFIGURATION, e.reason());
      assertEquals(Reason.CONFIGURATION, assertThrows(RefusedPeerException.class, acceptor::complete).reason());
      assertEquals(1, e.getMessage().lines().count(), e.getMessage());
      return e.getMessage();
    }
    acceptor.complete();
    return null;
  }

  private static void refused(String expected, ServedService here, ServedService there) throws IOException {
    String reason = refusal(List.of(here), List.of(there));
    assertTrue(reason != null && reason.contains(expected), reason);
  }

  private static ServedService shaped(String shape, Map<String, List<String>> classes) {
    return service("/services/Cart", Map.of("understudy.wsrf", "on"), shape, classes);
  }

  @Test
  void equalServicesAreAccepted() throws Exception {
    ServedService next = service("/services/Audit", Map.of(), "", Map.of());
    assertNull(refusal(List.of(CART, next), List.of(next, CART)), "the order does not matter");
    assertNull(refusal(List.of(), List.of()));
  }

  @Test
  void aBuildThatAnnouncesNoServicesOrMoreThanTheseIsAccepted() throws Exception {
    assertNull(refusal(null, List.of(CART)));
    assertNull(refusal(List.of(CART), null));
    ServedService later = service("/services/Cart", Map.of("understudy.wsrf", "on", "later", "yes"), "01aa", Map.of());
    assertNull(refusal(List.of(CART), List.of(later)));
    byte[] longer = GROUP.with(List.of(CART)).encode();
    longer = Arrays.copyOf(longer, longer.length + 7);
    assertEquals(List.of(CART), GroupDescription.decode(longer, 0, longer.length).services());
  }

  /** A setting that should be equal can be changed at one replica after another. */
  @Test
  void advisedSettingThatDiffersIsNamedAndRefusesNobody() throws Exception {
    GroupDescription here = GROUP.with(List.of(CART)).advising(Map.of("understudy.load.index", "requests", "a", "1"));
    GroupDescription there = GROUP.with(List.of(CART)).advising(Map.of("understudy.load.index", "threads", "a", "1", "later", "2"));
    byte[] sent = there.encode();
    GroupDescription received = GroupDescription.decode(sent, 0, sent.length);
    assertEquals(there, received);
    assertNull(here.difference(received, TWO));
    assertEquals(
        "Replica 2 has understudy.load.index=threads, this replica requests. Both serve; configure every replica of the group alike.",
        here.advice(received, TWO));
    assertNull(here.advice(GROUP.with(List.of(CART)), TWO), "an earlier build announces none");
    assertNull(here.advice(here, TWO));
    byte[] secret = "a secret of a group".getBytes(StandardCharsets.UTF_8);
    Dialer dialer = new Dialer(new Credentials(ONE, here, secret, () -> List.of(CART)), TWO);
    Acceptor acceptor = new Acceptor(new Credentials(TWO, there, secret, () -> List.of(CART)));
    dialer.complete(acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello()))));
    acceptor.complete();
  }

  @Test
  void theDifferenceIsNamed() throws Exception {
    assertTrue(refusal(List.of(CART), List.of()).contains("It does not serve /services/Cart"));
    assertTrue(refusal(List.of(), List.of(CART)).contains("It serves /services/Cart, which this replica does not serve"));
    refused(
        "Its service /services/Cart has understudy.wsrf=off, that of this replica understudy.wsrf=on",
        CART, service("/services/Cart", Map.of("understudy.wsrf", "off"), "01aa", Map.of()));
    refused(
        "The state of its service /services/Cart has another shape: the class x.Cart has x.Cart.total:int, at this replica "
            + "x.Cart.total:long.",
        CART, shaped("01bb", Map.of("x.Cart", List.of("x.Cart.total:int", "x.Cart.of:x.Item"))));
    refused(
        "the class x.Cart has x.Cart.note:java.lang.String, at this replica it has not",
        CART, shaped("01bb", Map.of("x.Cart", List.of("x.Cart.total:long", "x.Cart.of:x.Item", "x.Cart.note:java.lang.String"))));
    refused(
        "the class x.Cart has no x.Cart.of:x.Item, at this replica it has",
        CART, shaped("01bb", Map.of("x.Cart", List.of("x.Cart.total:long"))));
    refused(
        "the class x.Cart has its fields in another order",
        CART, shaped("01bb", Map.of("x.Cart", List.of("x.Cart.of:x.Item", "x.Cart.total:long"))));
    refused(
        "only that of that replica contains the class x.Coupon",
        CART,
        shaped("01bb", Map.of("x.Cart", List.of("x.Cart.total:long", "x.Cart.of:x.Item"), "x.Coupon", List.of("x.Coupon.code:int"))));
    refused("it has the fingerprint 01bb, that of this replica 01aa", CART, shaped("01bb", Map.of()));
    refused("it has the fingerprint none, that of this replica 01aa", CART, shaped("", Map.of()));
  }

  @Test
  void aLargeStateIsComparedByItsFingerprint() throws Exception {
    TreeMap<String, List<String>> many = new TreeMap<>();
    IntStream.range(0, 2_000).forEach(i -> many.put("x.Class" + i, List.of("x.Class" + i + ".field:java.lang.String")));
    assertNull(refusal(List.of(shaped("01aa", many)), List.of(shaped("01aa", many))));
    refused("it has the fingerprint 01bb, that of this replica 01aa", shaped("01aa", many), shaped("01bb", many));
    refused("fingerprint", shaped("01aa", Map.of("x.A", List.of("x".repeat(70_000)))), shaped("01bb", Map.of()));
    assertTrue(GROUP.with(List.of(shaped("01aa", many))).encode().length < 60_000);
  }

  @Test
  void servicesThatDoNotFitAreFoundAtDeployment() {
    List<ServedService> many =
        IntStream.range(0, 3_000).mapToObj(i -> service("/services/number" + i, Map.of(), "", Map.of())).toList();
    assertTrue(GroupDescription.canCompare(many.subList(0, 100)));
    assertFalse(GroupDescription.canCompare(many));
    assertFalse(GroupDescription.canCompare(List.of(service("x".repeat(70_000), Map.of(), "", Map.of()))));
  }

  @Test
  void namesOfAPeerCannotForgeLogLines() throws Exception {
    String forged = "\r\n2026 WARN \u2028all \u202eis \u009blost\u001b[2J" + "x".repeat(5_000);
    List<ServedService> forging =
        List.of(
            service(forged, Map.of(), "", Map.of()),
            service("/services/Cart", Map.of("understudy.wsrf", forged), "", Map.of()),
            shaped(forged, Map.of()),
            shaped("01bb", Map.of("x.Cart", List.of(forged))),
            shaped("01bb", Map.of("x.Cart", List.of("x.Cart.total:long", "x.Cart.of:x.Item"), forged, List.of())));
    for (ServedService one : forging) {
      for (String line : List.of(
          ServedService.difference(List.of(), List.of(one)), ServedService.difference(List.of(CART), List.of(one)))) {
        assertTrue(line.chars().noneMatch(c -> c < ' ' || c == '\u2028' || c == '\u202e' || c == '\u009b'), line);
        assertTrue(line.length() < 1_000, line);
      }
    }
  }

  @Test
  void forgedCountsEndInAnIoException() throws Exception {
    byte[] right = GROUP.with(List.of(CART)).encode();
    int begin = GROUP.encode().length;
    for (int length = begin + 1; length < right.length; length++) {
      byte[] cut = Arrays.copyOf(right, length);
      assertThrows(IOException.class, () -> GroupDescription.decode(cut, 0, cut.length), length + " bytes");
    }
    for (int at = begin; at < right.length; at++) {
      byte[] forged = right.clone();
      forged[at] = (byte) 0xff;
      try {
        assertFalse(GroupDescription.decode(forged, 0, forged.length).services().equals(Collections.emptyList()));
      } catch (IOException e) {
        assertTrue(e.getMessage() == null || e.getMessage().length() < 500);
      }
    }
  }
}
