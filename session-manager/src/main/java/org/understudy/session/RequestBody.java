package org.understudy.session;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.filters.SavedRequestInputFilter;
import org.apache.tomcat.util.buf.ByteChunk;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.runtime.share.ReservedBytes;

/** Reads the body of a request before the web application does, and gives it back to Tomcat, which parses parameters and parts. */
final class RequestBody {
  /** Memory for each byte: an array and the one that replaces it when it is full, and the parameters that Tomcat and the identity read. */
  private static final int COST = 6;
  private static final byte[] EMPTY = {};

  private final Request request;
  private final Response response;
  private final int maxBytes;
  private final int seconds;

  /**
   * @param maxBytes of the body
   * @param seconds in which it must arrive; the connector bounds each wait for the next bytes ({@code connectionTimeout})
   */
  RequestBody(Request request, Response response, int maxBytes, int seconds) {
    this.request = request;
    this.response = response;
    this.maxBytes = maxBytes;
    this.seconds = seconds;
  }

  /**
   * The body of the request.
   *
   * @param reservation counts it as it arrives
   * @return null when it is rejected, and the request has been answered
   */
  byte[] read(Reservation reservation) throws IOException {
    long length = request.getContentLengthLong();
    boolean chunked = request.getHeader("transfer-encoding") != null;
    boolean framed = request.getProtocol().startsWith("HTTP/2");
    if (length == 0 || length < 0 && !chunked && !framed) {
      return EMPTY;
    }
    if (length > maxBytes) {
      return tooLong();
    }
    if (request.getCoyoteRequest().hasExpectation()) {
      response.sendAcknowledgement(ContinueResponseTiming.ALWAYS);
      request.getCoyoteRequest().setExpectation(false);
    }
    byte[] bytes = read(reservation, length < 0 ? maxBytes : (int) length);
    if (bytes == null) {
      return null;
    }
    ByteChunk chunk = new ByteChunk();
    chunk.setBytes(bytes, 0, bytes.length);
    if (framed) {
      // The replay of Tomcat's stream has no bytes: its buffer is to be read and begins where it should end.
      request.getCoyoteRequest().setInputBuffer(new SavedRequestInputFilter(chunk));
    } else {
      request.getCoyoteRequest().action(ActionCode.REQ_SET_BODY_REPLAY, chunk);
    }
    return bytes;
  }

  /** @param most bytes of the body, announced or permitted */
  private byte[] read(Reservation reservation, int most) throws IOException {
    ReservedBytes body = new ReservedBytes(reservation, COST, most);
    InputStream in = request.createInputStream();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    int count = 0;
    while (count >= 0 && body.length() < most) {
      String full = body.room();
      if (full != null) {
        Answers.refuse(request, response, new Failure(FailureCode.Overloaded, full));
        return null;
      }
      count = body.read(in);
      if (System.nanoTime() - deadline > 0) {
        return tooLate();
      }
    }
    return count < 0 || in.read() < 0 ? body.whole() : tooLong();
  }

  private byte[] tooLong() throws IOException {
    response.sendError(
        HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE,
        "The request's body has more than " + maxBytes + " bytes (maxBody of the Manager element).");
    return null;
  }

  private byte[] tooLate() throws IOException {
    response.setHeader("Connection", "close");
    response.sendError(
        HttpServletResponse.SC_REQUEST_TIMEOUT,
        "The request's body did not arrive within " + seconds + " s (bodySeconds of the Manager element).");
    // Tomcat would read the rest, which is as late.
    request.getCoyoteRequest().action(ActionCode.DISABLE_SWALLOW_INPUT, null);
    return null;
  }
}
