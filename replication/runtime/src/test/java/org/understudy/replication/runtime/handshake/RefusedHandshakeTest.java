package org.understudy.replication.runtime.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

/** Handshake messages that are too short, too long, of an unknown replica, or reflected. */
class RefusedHandshakeTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final Map<ReplicaId, String> LIST = Map.of(ONE, "a:1", TWO, "b:1");
  private static final byte[] SECRET = "a long secret word".getBytes(StandardCharsets.UTF_8);

  private static Credentials of(ReplicaId self) {
    return new Credentials(self, new GroupDescription("g", "primary-backup", LIST, LIST), SECRET);
  }

  private static Reason refusal(org.junit.jupiter.api.function.Executable message) {
    RefusedPeerException refused = assertThrows(RefusedPeerException.class, message);
    assertFalse(refused.getMessage().contains("secret word"), refused.getMessage());
    return refused.reason();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4, 53, 55, 1_000})
  void helloOfAnotherLengthIsRefused(int length) {
    byte[] hello = Arrays.copyOf(new Dialer(of(ONE), TWO).hello(), length);
    assertEquals(Reason.PROTOCOL, refusal(() -> new Acceptor(of(TWO)).reply(hello)));
  }

  @Test
  void otherProtocolIsDistinguishedFromAWrongSecret() {
    byte[] http = Arrays.copyOf("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII), 54);
    assertEquals(Reason.PROTOCOL, refusal(() -> new Acceptor(of(TWO)).reply(http)));
    byte[] otherVersion = new Dialer(of(ONE), TWO).hello();
    otherVersion[3]++;
    assertEquals(Reason.PROTOCOL, refusal(() -> new Acceptor(of(TWO)).reply(otherVersion)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 17, 18, 49, 51, 1_000})
  void replyOfAnotherLengthIsRefused(int length) throws IOException {
    Dialer dialer = new Dialer(of(ONE), TWO);
    byte[] reply = Arrays.copyOf(new Acceptor(of(TWO)).reply(dialer.hello()), length);
    assertEquals(Reason.SECRET, refusal(() -> dialer.confirm(reply)));
  }

  /** A notice proves nothing, so it states only the reason; for any byte the dialer stops. */
  @ParameterizedTest
  @ValueSource(bytes = {-128, -1, 0, 1, 2, 3, 4, 5, 127})
  void noticeNeverAdmits(byte notice) {
    Dialer dialer = new Dialer(of(ONE), TWO);
    dialer.hello();
    assertEquals(notice == 1 ? Reason.SECRET : Reason.PROTOCOL, refusal(() -> dialer.confirm(new byte[] {notice})));
  }

  @ParameterizedTest
  @EnumSource(Reason.class)
  void noticeIsOneByteForEveryReason(Reason reason) {
    assertEquals(1, Acceptor.notice(new RefusedPeerException(reason, "x")).length);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 47, 48})
  void shortConfirmationOrAnswerIsRefused(int length) throws IOException {
    Dialer dialer = new Dialer(of(ONE), TWO);
    Acceptor acceptor = new Acceptor(of(TWO));
    byte[] confirm = dialer.confirm(acceptor.reply(dialer.hello()));
    assertEquals(Reason.FORGED, refusal(() -> acceptor.answer(Arrays.copyOf(confirm, length))));
    byte[] answer = acceptor.answer(confirm);
    assertEquals(Reason.FORGED, refusal(() -> dialer.complete(Arrays.copyOf(answer, length))));
  }

  /** An attacker without the secret reflects each side's own messages. */
  @Test
  void reflectedMessagesAreRefused() throws IOException {
    Dialer dialer = new Dialer(of(ONE), TWO);
    byte[] hello = dialer.hello();
    assertEquals(Reason.SECRET, refusal(() -> dialer.confirm(Arrays.copyOf(hello, 50))));
    Acceptor acceptor = new Acceptor(of(TWO));
    byte[] reply = acceptor.reply(hello);
    byte[] confirm = dialer.confirm(reply);
    assertEquals(Reason.FORGED, refusal(() -> dialer.complete(confirm)), "the dialer's own confirmation");
    byte[] answer = acceptor.answer(confirm);
    assertEquals(Reason.FORGED, refusal(() -> acceptor.answer(answer)), "the acceptor's own answer");
  }

  @Test
  void replyToAnotherHelloIsRefused() throws IOException {
    Dialer before = new Dialer(of(ONE), TWO);
    byte[] reply = new Acceptor(of(TWO)).reply(before.hello());
    Dialer dialer = new Dialer(of(ONE), TWO);
    dialer.hello();
    assertEquals(Reason.SECRET, refusal(() -> dialer.confirm(reply)));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 65, 127, 128, 255})
  void unknownReplicaNumberIsRefused(int number) throws IOException {
    Transcript transcript = new Transcript(SECRET);
    byte[] hello = transcript.hello(number, 2);
    Acceptor acceptor = new Acceptor(of(TWO));
    transcript.checkReply(acceptor.reply(hello));
    byte[] confirm = Transcript.described(transcript.key("dial"), of(ONE).contentKey(), of(ONE).group().encode());
    assertEquals(Reason.PROTOCOL, refusal(() -> acceptor.answer(confirm)));
  }

  @Test
  void connectionToItselfIsRefused() throws IOException {
    Dialer dialer = new Dialer(of(ONE), TWO);
    Acceptor itself = new Acceptor(of(ONE));
    byte[] answer = itself.answer(dialer.confirm(itself.reply(dialer.hello())));
    assertEquals(Reason.CONFIGURATION, refusal(() -> dialer.complete(answer)));
    assertEquals(Reason.CONFIGURATION, refusal(itself::complete));
  }

  @Test
  void framesAreValidInOneDirectionOnly() throws IOException {
    Dialer dialer = new Dialer(of(ONE), TWO);
    Acceptor acceptor = new Acceptor(of(TWO));
    byte[] answer = acceptor.answer(dialer.confirm(acceptor.reply(dialer.hello())));
    PeerSession there = dialer.complete(answer);
    PeerSession here = acceptor.complete();
    byte[] digest = new byte[32];
    byte[] tag = new byte[FrameSeal.TAG_BYTES];
    there.outgoing().seal(digest, tag, 0);
    assertFalse(there.incoming().verify(digest, tag, 0), "its own frame, sent back");
    assertTrue(here.incoming().verify(digest, tag, 0));
  }

  /** The description is read only when its proof is right; these come from a peer that knows the secret. */
  @Test
  void invalidDescriptionEndsTheHandshakeWithAnIoException() throws IOException {
    byte[] right = of(ONE).group().encode();
    for (int length = 0; length < right.length; length++) {
      Transcript transcript = new Transcript(SECRET);
      byte[] hello = transcript.hello(1, 2);
      Acceptor acceptor = new Acceptor(of(TWO));
      transcript.checkReply(acceptor.reply(hello));
      byte[] confirm = Transcript.described(transcript.key("dial"), of(ONE).contentKey(), Arrays.copyOf(right, length));
      assertThrows(IOException.class, () -> acceptor.answer(confirm), length + " bytes");
    }
    byte[] replicaZero = right.clone();
    replicaZero["g".length() + 3] = 0;
    assertThrows(IOException.class, () -> GroupDescription.decode(replicaZero, 0, replicaZero.length));
  }
}
