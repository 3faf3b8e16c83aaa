package org.understudy.container.intake;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.caller.RequestTarget;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.runtime.share.ReservedBytes;

/**
 * Reads a body that had not fully arrived with the headers of its request, without blocking a thread. At its end it
 * dispatches the request again. The container calls this from one thread at a time.
 */
final class ArrivingBody implements ReadListener, AsyncListener {
  private static final Logger LOG = LoggerFactory.getLogger(ArrivingBody.class);
  private static final int CHUNK_BYTES = 8_192;
  /** Bytes of a too long body that are read and dropped before the response, for clients that read only after writing. */
  static final long MAX_DRAINED_BYTES = 16L << 20;

  private final BodyFilter intake;
  private final HttpServletRequest request;
  /** The longest body that this request may have, in bytes. */
  private final int limit;
  private final AsyncContext async;
  private final ServletInputStream in;
  private final ReservedBytes body;
  private long length;
  private boolean tooLong;
  private boolean ended;

  /** @param body its first bytes, already read */
  ArrivingBody(BodyFilter intake, HttpServletRequest request, AsyncContext async, ReservedBytes body) throws IOException {
    this.intake = intake;
    this.request = request;
    this.async = async;
    this.body = body;
    this.length = body.length();
    this.limit = intake.limit(request);
    this.tooLong = request.getContentLengthLong() > limit;
    this.in = request.getInputStream();
  }

  void begin() {
    async.setTimeout(intake.deadline().toMillis());
    async.addListener(this);
    in.setReadListener(this);
  }

  @Override
  public void onDataAvailable() throws IOException {
    byte[] chunk = new byte[CHUNK_BYTES];
    while (!ended && in.isReady()) {
      int count = in.read(chunk);
      if (count < 0) {
        return;
      }
      append(chunk, count);
    }
  }

  private void append(byte[] chunk, int count) {
    length += count;
    tooLong |= length > limit;
    if (tooLong) {
      body.drop();
      if (length > limit + MAX_DRAINED_BYTES) {
        refuse(FailureCode.BadRequest, BodyFilter.tooLong(limit));
      }
      return;
    }
    String full = body.add(chunk, count);
    if (full != null) {
      refuse(FailureCode.Overloaded, full);
    }
  }

  @Override
  public void onAllDataRead() throws IOException {
    if (isCutOff()) {
      refuse(
          FailureCode.NotReady,
          "The connection was closed behind the request, or another request follows before the response. Nothing was executed. "
              + "Retry on another connection, and wait for the response.");
    } else if (end()) {
      long announced = request.getContentLengthLong();
      new ReceivedBody(tooLong ? null : body.whole(), Math.max(announced, length)).keepIn(request);
      try {
        RequestTarget.dispatch(request, async);
      } catch (IllegalStateException e) {
        LOG.debug("The client has closed its connection.", e);
      } catch (UnsupportedOperationException e) {
        LOG.debug("The web application is stopping.", e);
        intake.refuse(
            request, async, FailureCode.NotReady,
            "The server stops this web application. Nothing was executed. Retry at another replica.");
      }
    }
  }

  /**
   * Whether the connection may be closed already. At the end of a chunked body, Tomcat looks for the next request before it calls this
   * listener. When it finds that the client has closed the connection, it closes it too, drops later dispatches of this request, and calls
   * no listener. An execution that waited for a dispatch would then hold its resource for ever.
   */
  private boolean isCutOff() throws IOException {
    // Tomcat reports a byte, too, if the next read throws an exception.
    return request.getContentLengthLong() < 0 && in.available() > 0;
  }

  /** Ends the read. Returns false when it had ended before. */
  private boolean end() {
    if (ended) {
      return false;
    }
    ended = true;
    return true;
  }

  private void refuse(FailureCode code, String why) {
    if (end()) {
      body.drop();
      intake.refuse(request, async, code, why);
    }
  }

  @Override
  public void onTimeout(AsyncEvent event) {
    refuse(FailureCode.BadRequest, intake.late());
  }

  @Override
  public void onError(Throwable broken) {
    LOG.debug("The connection of a request broke before its body had arrived.", broken);
    end();
  }

  @Override
  public void onError(AsyncEvent event) {
    end();
  }

  @Override
  public void onComplete(AsyncEvent event) {
    end();
  }

  @Override
  public void onStartAsync(AsyncEvent event) {}
}
