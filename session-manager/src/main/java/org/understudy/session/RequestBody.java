package org.understudy.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.coyote.ActionCode;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.filters.SavedRequestInputFilter;
import org.apache.tomcat.util.buf.ByteChunk;

/** Reads the body of a request before the web application does, and gives it back to Tomcat, which parses parameters and parts. */
final class RequestBody {
  private static final byte[] EMPTY = {};
  private static final int BLOCK = 8_192;

  private RequestBody() {}

  /**
   * The body of the request.
   *
   * @return null when it has more bytes than the bound
   */
  static byte[] read(Request request, Response response, int maxBytes) throws IOException {
    long length = request.getContentLengthLong();
    boolean chunked = request.getHeader("transfer-encoding") != null;
    boolean framed = request.getProtocol().startsWith("HTTP/2");
    if (length == 0 || length < 0 && !chunked && !framed) {
      return EMPTY;
    }
    if (length > maxBytes) {
      return null;
    }
    if (request.getCoyoteRequest().hasExpectation()) {
      response.sendAcknowledgement(ContinueResponseTiming.ALWAYS);
      request.getCoyoteRequest().setExpectation(false);
    }
    ByteArrayOutputStream body = new ByteArrayOutputStream((int) Math.max(length, 64));
    byte[] block = new byte[BLOCK];
    InputStream in = request.createInputStream();
    for (int count = in.read(block); count >= 0; count = in.read(block)) {
      body.write(block, 0, count);
      if (body.size() > maxBytes) {
        return null;
      }
    }
    byte[] bytes = body.toByteArray();
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
}
