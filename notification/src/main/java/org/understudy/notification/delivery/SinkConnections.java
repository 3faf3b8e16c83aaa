package org.understudy.notification.delivery;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.bootstrap.AsyncRequesterBootstrap;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncRequester;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.http.nio.AsyncClientEndpoint;
import org.apache.hc.core5.http.nio.entity.AbstractBinAsyncEntityConsumer;
import org.apache.hc.core5.http.nio.entity.BasicAsyncEntityProducer;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.nio.support.BasicResponseConsumer;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestConnControl;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.understudy.notification.message.NotifyNames;

/** Kept-alive, non-blocking HTTP connections to consumers. Thread-safe. */
final class SinkConnections implements AutoCloseable {
  private static final ContentType SOAP11 = ContentType.create("text/xml", "UTF-8");
  private static final TimeValue IDLE = TimeValue.ofMinutes(1);
  private static final int MOST_ANSWER_BYTES = 64 << 10;

  private final HttpAsyncRequester requester;
  private final ScheduledExecutorService timer;
  private final Timeout connectTimeout;
  private final long answerWithinMs;

  /** Takes what came of one POST: exactly one call, by a thread that it must not block. */
  interface Answer {
    /** The consumer answered, and the answer was read. */
    void status(int code);

    /** There was no answer, or it was cut off. */
    void none(String why);
  }

  SinkConnections(DeliverySettings settings, ScheduledExecutorService timer, int most) {
    this.timer = timer;
    this.connectTimeout = Timeout.of(settings.connectTimeout());
    this.answerWithinMs = settings.responseTimeout().toMillis();
    this.requester =
        AsyncRequesterBootstrap.bootstrap()
            .setIOReactorConfig(
                IOReactorConfig.custom()
                    .setIoThreadCount(Math.max(1, settings.threads() / 2))
                    .setTcpNoDelay(true)
                    .setSoTimeout(Timeout.of(settings.responseTimeout()))
                    .build())
            .setHttp1Config(Http1Config.custom().setMaxHeaderCount(100).setMaxLineLength(8_192).build())
            // Not the default chain: it would ask for 100-continue and name the library.
            .setHttpProcessor(
                HttpProcessorBuilder.create()
                    .addAll(new RequestTargetHost(), new RequestContent(), new RequestConnControl())
                    .build())
            .setMaxTotal(most)
            // All consumers may live on one host, and a slow one must not hold up its neighbours.
            .setDefaultMaxPerRoute(most)
            .create();
    requester.start();
  }

  /** Posts a SOAP 1.1 message. Returns at once, name look-up of the host aside. */
  void post(URI address, byte[] envelope, Answer answer) {
    Exchange exchange = new Exchange(address, envelope, answer);
    int port = address.getPort() < 0 ? 80 : address.getPort();
    requester.connect(new HttpHost("http", address.getHost(), port), connectTimeout, null, exchange);
  }

  void closeIdle() {
    requester.closeIdle(IDLE);
    requester.closeExpired();
  }

  @Override
  public void close() {
    requester.close(CloseMode.IMMEDIATE);
    try {
      requester.awaitShutdown(TimeValue.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One request and its answer, from the connection on. */
  private final class Exchange implements FutureCallback<AsyncClientEndpoint> {
    private final URI address;
    private final byte[] envelope;
    private final Answer answer;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile AsyncClientEndpoint endpoint;
    private volatile ScheduledFuture<?> deadline;

    Exchange(URI address, byte[] envelope, Answer answer) {
      this.address = address;
      this.envelope = envelope;
      this.answer = answer;
    }

    @Override
    public void completed(AsyncClientEndpoint connected) {
      endpoint = connected;
      try {
        // The socket's timeout counts from the last byte: it would not end a consumer that drips.
        deadline =
            timer.schedule(
                () -> fail("no answer within " + answerWithinMs + " ms"), answerWithinMs, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        fail("closed");
        return;
      }
      BasicHttpRequest request = new BasicHttpRequest("POST", address);
      request.setHeader("SOAPAction", "\"" + NotifyNames.NOTIFY_ACTION + "\"");
      connected.execute(
          new BasicRequestProducer(request, new BasicAsyncEntityProducer(envelope, SOAP11)),
          new BasicResponseConsumer<>(new BoundedDiscard()),
          new FutureCallback<Message<HttpResponse, Void>>() {
            @Override
            public void completed(Message<HttpResponse, Void> message) {
              succeed(message.getHead().getCode());
            }

            @Override
            public void failed(Exception e) {
              fail(e.toString());
            }

            @Override
            public void cancelled() {
              fail("cancelled");
            }
          });
    }

    @Override
    public void failed(Exception e) {
      fail(e.toString());
    }

    @Override
    public void cancelled() {
      fail("cancelled");
    }

    private void succeed(int code) {
      if (finish()) {
        endpoint.releaseAndReuse();
        answer.status(code);
      }
    }

    private void fail(String why) {
      if (finish()) {
        if (endpoint != null) {
          endpoint.releaseAndDiscard();
        }
        answer.none(why);
      }
    }

    private boolean finish() {
      if (!over.compareAndSet(false, true)) {
        return false;
      }
      if (deadline != null) {
        deadline.cancel(false);
      }
      return true;
    }

    /** Reads an answer that interests nobody, but not without end. */
    private final class BoundedDiscard extends AbstractBinAsyncEntityConsumer<Void> {
      private int read;

      @Override
      protected void streamStart(ContentType contentType) {}

      @Override
      protected int capacityIncrement() {
        return Integer.MAX_VALUE;
      }

      @Override
      protected void data(ByteBuffer bytes, boolean endOfStream) throws IOException {
        read += bytes.remaining();
        if (over.get() || read > MOST_ANSWER_BYTES) {
          throw new IOException("The answer is too long, or too late.");
        }
        bytes.position(bytes.limit());
      }

      @Override
      protected Void generateContent() {
        return null;
      }

      @Override
      public void releaseResources() {}
    }
  }
}
