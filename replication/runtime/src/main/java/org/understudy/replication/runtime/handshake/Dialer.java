package org.understudy.replication.runtime.handshake;

import java.io.IOException;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

/** The connecting side of a handshake. For one connection; used by one thread. */
public final class Dialer {
  private final Credentials own;
  private final ReplicaId peer;
  private final Transcript transcript;
  private int number;

  public Dialer(Credentials own, ReplicaId peer) {
    this.own = own;
    this.peer = peer;
    this.transcript = new Transcript(own.secret());
  }

  /** The first message. */
  public byte[] hello() {
    return transcript.hello(own.self().number(), peer.number());
  }

  /**
   * The third message, to the acceptor's reply.
   *
   * @throws RefusedPeerException when the acceptor does not know the secret, or reports that this side does not
   */
  public byte[] confirm(byte[] reply) throws RefusedPeerException {
    transcript.checkReply(reply);
    number = reply[1];
    return Transcript.described(transcript.key("dial"), own.contentKey(), own.group().encode());
  }

  /**
   * The protection of all that follows, after the acceptor's last message.
   *
   * @throws RefusedPeerException when the acceptor is configured differently
   */
  public PeerSession complete(byte[] answer) throws IOException {
    byte[] incoming = transcript.key("accept");
    Transcript.Described peerDescription = Transcript.checkDescribed(incoming, answer);
    String difference = own.group().difference(peerDescription.group(), peer);
    if (difference != null) {
      throw new RefusedPeerException(Reason.CONFIGURATION, difference);
    }
    if (number != peer.number()) {
      throw new RefusedPeerException(
          Reason.CONFIGURATION, "It is replica " + number + " (understudy.replica), not replica " + peer + ".");
    }
    own.advise(peerDescription.group(), peer);
    return new PeerSession(
        transcript.key("dial"), own.contentKey(), incoming, ContentKey.of(own.secret(), peerDescription.salt()),
        own.group().wireWith(peerDescription.group()));
  }
}
