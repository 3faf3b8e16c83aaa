package org.understudy.container.intake;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.forwarding.sealed.ClientRequest;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.LocalShares;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.runtime.share.ReservedBytes;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Transcoding;

/**
 * Takes the requests that other replicas of one group forward, before the server authenticates them: only who knows the group's secret
 * makes this read a body. What a request takes in memory counts against the client's share, as where the client has sent it. Thread-safe.
 */
public final class ForwardedIntake {
  private final Configuration configuration;
  private final CallerProof proof;
  private final LocalShares held;
  private final BodyFilter.Refusal refusal;

  /** @param refusal writes the fault for a request that is not taken */
  public ForwardedIntake(Configuration configuration, CallerProof proof, LocalShares held, BodyFilter.Refusal refusal) {
    this.configuration = configuration;
    this.proof = proof;
    this.held = held;
    this.refusal = refusal;
  }

  /** Verifies the proof of a request; call it once for a request. Returns null when no replica of the group forwards it. */
  public CallerProof.Proved verify(HttpServletRequest request) {
    return proof.verify(request.getHeader(CallerProof.HEADER), RequestTarget.path(request));
  }

  /**
   * Reads a forwarded request, whose message later filters find as a received body.
   *
   * @param body blocks until there is more, or the server's time for it is over
   * @return what its client has sent; null when the request is rejected, and the response written
   */
  public ClientRequest receive(
      HttpServletRequest request, HttpServletResponse response, CallerProof.Proved proved, InputStream body) throws IOException {
    response.setHeader(CallerProof.INSTANCE, proof.instance());
    if (!proved.fresh()) {
      return refuse(
          request, response, FailureCode.NotReady,
          "The request was forwarded to an earlier instance of this replica. Forward it again.");
    }
    Reservation reservation = new Reservation(held, proved.caller().owner());
    RequestMemory.begin(request, reservation);
    String full = reservation.grow(Configuration.HELD_REQUEST_BYTES);
    if (full != null) {
      return refuse(request, response, FailureCode.Overloaded, full);
    }
    SealedRequest.Arriving arriving;
    ReservedBytes message;
    try {
      arriving = SealedRequest.arriving(body);
      long length = arriving.messageLength(request.getContentLengthLong());
      int limit = Transcoding.longest(configuration.requestBytes());
      if (length < 0 || length > limit) {
        return refuse(request, response, FailureCode.BadRequest, BodyFilter.tooLong(limit));
      }
      message = new ReservedBytes(reservation, BodyCost.of(request.getContentType()), (int) length);
      full = read(arriving.message(), message, (int) length);
      if (full != null) {
        return refuse(request, response, FailureCode.Overloaded, full);
      }
      ClientRequest client = arriving.client(proved.digest());
      new ReceivedBody(message.whole(), length).keepIn(request);
      proved.caller().proved(request);
      return client;
    } catch (IOException e) {
      return refuse(
          request, response, FailureCode.BadRequest,
          "A request that replica " + proved.from() + " forwards cannot be read: " + e.getMessage());
    }
  }

  /** @return null when the message is there; else a sentence that names the limit reached */
  private String read(InputStream in, ReservedBytes message, int length) throws IOException {
    long end = System.nanoTime() + configuration.requestBody().toNanos();
    while (message.length() < length) {
      String full = message.room();
      if (full != null) {
        return full;
      }
      if (message.read(in) < 0) {
        throw new IOException("It ends too early.");
      }
      if (end - System.nanoTime() < 0) {
        throw new IOException("It takes longer than the time for a body.");
      }
    }
    return null;
  }

  private ClientRequest refuse(HttpServletRequest request, HttpServletResponse response, FailureCode code, String why)
      throws IOException {
    refusal.send(request, response, SoapVersion.ofContentType(request.getContentType()), new Failure(code, why));
    return null;
  }
}
