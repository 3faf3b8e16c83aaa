package org.understudy.notification.delivery;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
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

/**
 * Kept-alive, non-blocking HTTP connections to consumers. Thread-safe. A connection takes some 6 KB of heap, and is closed
 * when it was not used for ten seconds.
 */
final class SinkConnections implements Sink, AutoCloseable {
  private static final TimeValue IDLE = TimeValue.ofSeconds(10);
  private static final int MOST_ANSWER_BYTES = 64 << 10;
  private static final int MOST_CONNECTIONS = 1_000_000;
  /** Two for each connection, and ten thousand connections are to fit in: headers are short, bodies bypass them. */
  private static final int BUFFER_BYTES = 1_024;
  private static final int GONE = 410;
  /** What needs no look-up. */
  private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+|localhost");

  private final HttpAsyncRequester requester;
  private final ScheduledExecutorService timer;
  private final ExecutorService names = Executors.newFixedThreadPool(2, Deliveries.daemons("understudy-notify-names-"));
  private final Timeout socketTimeout;
  private final long connectWithinMs;
  private final long answerWithinMs;

  SinkConnections(DeliverySettings settings, ScheduledExecutorService timer) {
    this.timer = timer;
    // Counts from the last byte, while connecting, and on idle connections too: those are to be closed before, by us, or a
    // message would be sent into the closing. What is due sooner has a deadline of its own.
    this.socketTimeout =
        Timeout.of(settings.connectTimeout().plus(settings.responseTimeout()).plus(IDLE.toDuration().multipliedBy(3)));
    this.connectWithinMs = settings.connectTimeout().toMillis();
    this.answerWithinMs = settings.responseTimeout().toMillis();
    this.requester =
        AsyncRequesterBootstrap.bootstrap()
            .setIOReactorConfig(
                IOReactorConfig.custom()
                    .setIoThreadCount(Math.max(1, settings.threads() / 2))
                    .setTcpNoDelay(true)
                    .setSoTimeout(socketTimeout)
                    .build())
            .setHttp1Config(
                Http1Config.custom()
                    .setBufferSize(BUFFER_BYTES)
                    .setMaxHeaderCount(100)
                    .setMaxLineLength(8_192)
                    .build())
            // Not the default chain: it would ask for 100-continue and name the library.
            .setHttpProcessor(
                HttpProcessorBuilder.create()
                    .addAll(new RequestTargetHost(), new RequestContent(), new RequestConnControl())
                    .build())
            .setMaxTotal(MOST_CONNECTIONS)
            // How many there are at a time is decided where attempts are started. All consumers may live on one host,
            // and a slow one must not hold up its neighbours.
            .setDefaultMaxPerRoute(MOST_CONNECTIONS)
            .create();
    requester.start();
  }

  @Override
  public void send(Delivery delivery, Outcome outcome) {
    URI address = delivery.subscription().consumer().address();
    Exchange exchange = new Exchange(address, delivery.action(), delivery.envelope(), outcome);
    try {
      if (LITERAL.matcher(address.getHost()).matches()) {
        connect(new HttpHost("http", address.getHost(), port(address)), exchange);
      } else {
        // A name server that does not answer holds up those only who have to ask one.
        exchange.limitConnecting(null);
        names.execute(() -> lookUp(address, exchange));
      }
    } catch (RuntimeException e) {
      // Closed, for one; whatever it is, the outcome is told.
      exchange.fail(e.toString());
    }
  }

  private void lookUp(URI address, Exchange exchange) {
    if (exchange.isOver()) {
      return;
    }
    try {
      InetAddress resolved = InetAddress.getByName(address.getHost());
      connect(new HttpHost("http", resolved, address.getHost(), port(address)), exchange);
    } catch (UnknownHostException | RuntimeException e) {
      exchange.fail(e.toString());
    }
  }

  private void connect(HttpHost host, Exchange exchange) {
    exchange.limitConnecting(requester.connect(host, socketTimeout, null, exchange));
  }

  private static int port(URI address) {
    return address.getPort() < 0 ? 80 : address.getPort();
  }

  void closeIdle() {
    requester.closeIdle(IDLE);
    requester.closeExpired();
  }

  @Override
  public void close() {
    names.shutdownNow();
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
    private final String action;
    private final List<byte[]> envelope;
    private final Outcome outcome;
    private final AtomicBoolean over = new AtomicBoolean();
    /** Written with this held. */
    private volatile AsyncClientEndpoint endpoint;
    private volatile Future<?> attempt;
    private ScheduledFuture<?> deadline;

    Exchange(URI address, String action, List<byte[]> envelope, Outcome outcome) {
      this.address = address;
      this.action = action;
      this.envelope = envelope;
      this.outcome = outcome;
    }

    /** To be called when there is no connection at once; the attempt to get one, if any, is broken off with the exchange. */
    void limitConnecting(Future<?> connecting) {
      synchronized (this) {
        if (endpoint == null && !over.get()) {
          attempt = connecting;
          if (deadline == null) {
            deadline = failAfter(connectWithinMs, "no connection within " + connectWithinMs + " ms");
          }
        }
      }
    }

    boolean isOver() {
      return over.get();
    }

    /** Null when everything is being closed, which ends the exchange too. */
    private ScheduledFuture<?> failAfter(long ms, String why) {
      try {
        return timer.schedule(() -> fail(why), ms, TimeUnit.MILLISECONDS);
      } catch (RejectedExecutionException e) {
        return null;
      }
    }

    @Override
    public void completed(AsyncClientEndpoint connected) {
      synchronized (this) {
        if (deadline != null) {
          deadline.cancel(false);
        }
        if (!over.get()) {
          endpoint = connected;
          // The socket's timeout counts from the last byte: it would not end a consumer that drips.
          deadline = failAfter(answerWithinMs, "no answer within " + answerWithinMs + " ms");
        }
      }
      if (endpoint == null) {
        connected.releaseAndDiscard();
        return;
      }
      BasicHttpRequest request = new BasicHttpRequest("POST", address);
      // A raw message's action comes from the message: it must not be able to end the header.
      request.setHeader("SOAPAction", "\"" + action.replaceAll("[\\p{Cntrl} \"]", "") + "\"");
      connected.execute(
          new BasicRequestProducer(request, new EnvelopeProducer(envelope)),
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
        if (code >= 200 && code < 300) {
          outcome.delivered();
        } else {
          // Gone is for good; anything else may be a restart.
          outcome.failed("HTTP status " + code, code == GONE);
        }
      }
    }

    private void fail(String why) {
      if (finish()) {
        if (endpoint != null) {
          endpoint.releaseAndDiscard();
        } else if (attempt != null) {
          attempt.cancel(true);
        }
        outcome.failed(why, false);
      }
    }

    private boolean finish() {
      synchronized (this) {
        if (!over.compareAndSet(false, true)) {
          return false;
        }
        if (deadline != null) {
          deadline.cancel(false);
        }
        return true;
      }
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
