package org.understudy.notification.connection;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
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
import org.apache.hc.core5.http.nio.ssl.BasicClientTlsStrategy;
import org.apache.hc.core5.http.nio.support.BasicRequestProducer;
import org.apache.hc.core5.http.nio.support.BasicResponseConsumer;
import org.apache.hc.core5.http.protocol.HttpProcessorBuilder;
import org.apache.hc.core5.http.protocol.RequestConnControl;
import org.apache.hc.core5.http.protocol.RequestContent;
import org.apache.hc.core5.http.protocol.RequestTargetHost;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.reactor.IOReactorConfig;
import org.apache.hc.core5.reactor.ssl.SSLBufferMode;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * Non-blocking HTTP and HTTPS connections to many hosts. Thread-safe. Requests are never retried. A connection needs about
 * 6 KB of heap, and is closed after ten idle seconds.
 *
 * <p>HTTPS has separate threads: a handshake computes for milliseconds and must not delay plain HTTP. A kept connection
 * needs no further handshake. A server must have a trusted certificate for the host in the address.
 *
 * <p>More than 400 lines because opening, TLS, reuse and deadlines of a connection guard one state.
 */
public final class HttpConnections implements AutoCloseable {
  private static final TimeValue IDLE = TimeValue.ofSeconds(10);
  private static final int MAX_CONNECTIONS = 1_000_000;
  /** Two buffers for each of ten thousand connections: headers are short, and bodies bypass them. */
  private static final int BUFFER_BYTES = 1_024;
  /** Hosts that need no name lookup. */
  private static final Pattern LITERAL = Pattern.compile("\\[.*]|[0-9.]+|localhost");

  private final ConnectionSettings settings;
  private final ScheduledExecutorService timer;
  private final ExecutorService names = Executors.newFixedThreadPool(2, new DaemonThreads("understudy-names-"));
  private final Timeout socketTimeout;
  private final long connectWithinMs;
  private final long answerWithinMs;
  private final HttpAsyncRequester plain;
  /** Written with this lock, at the first https address: most deployments have none. */
  private volatile HttpAsyncRequester secure;
  private boolean closed;

  /** Receives the result of a request: exactly one method is called, once, by any thread. The methods must not block. */
  public interface Outcome {
    /** An answer has arrived. */
    void answered(HttpAnswer answer);

    /** There is no usable answer; the other end may have received the request. */
    void failed(String why);

    /** Like {@link #failed(String)}, with the cause; calls that unless overridden. */
    default void failed(NoAnswer what, String why) {
      failed(why);
    }
  }

  /** Why there is no answer. */
  public enum NoAnswer {
    /** No connection was made: the other end has not received the request. */
    NOT_SENT,
    /** The connection broke, or the answer did not come in time. */
    LOST,
    /** The answer exceeds the limit. */
    TOO_LONG
  }

  /** Thrown when an answer exceeds the limit. */
  private static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    TooLongException(int limit) {
      super("The answer has more than " + limit + " bytes.");
    }
  }

  /** @param timer watches the deadlines; its owner closes it */
  public HttpConnections(ConnectionSettings settings, ScheduledExecutorService timer) {
    this.settings = settings;
    this.timer = timer;
    // The timeout counts from the last byte, while connecting and on idle connections too. Idle connections must be closed
    // here before that, or a message would be sent into the closing. Shorter deadlines have timers of their own.
    this.socketTimeout =
        Timeout.of(settings.connectTimeout().plus(settings.responseTimeout()).plus(IDLE.toDuration().multipliedBy(3)));
    this.connectWithinMs = settings.connectTimeout().toMillis();
    this.answerWithinMs = settings.responseTimeout().toMillis();
    this.plain = bootstrap().create();
    plain.start();
  }

  private AsyncRequesterBootstrap bootstrap() {
    return AsyncRequesterBootstrap.bootstrap()
        .setIOReactorConfig(
            IOReactorConfig.custom()
                .setIoThreadCount(settings.threads())
                .setTcpNoDelay(true)
                .setSoTimeout(socketTimeout)
                .build())
        .setHttp1Config(
            Http1Config.custom().setBufferSize(BUFFER_BYTES).setMaxHeaderCount(100).setMaxLineLength(8_192).build())
        // Not the default chain, which would send Expect: 100-continue and a User-Agent.
        .setHttpProcessor(
            HttpProcessorBuilder.create()
                .addAll(new RequestTargetHost(), new RequestContent(), new RequestConnControl())
                .build())
        .setMaxTotal(MAX_CONNECTIONS)
        // The caller limits the number of requests. All receivers may be on one host, and a slow one must not delay the
        // others.
        .setDefaultMaxPerRoute(MAX_CONNECTIONS);
  }

  /**
   * Begins a SOAP request. Returns at once and does not throw.
   *
   * @param address absolute, http or https
   * @param version of the envelope
   * @param action for the header SOAPAction, or SOAP 1.2's parameter; from a contract, never from a client
   * @param envelope in parts; not to be changed
   */
  public void post(URI address, SoapVersion version, String action, List<byte[]> envelope, Outcome outcome) {
    Exchange exchange = new Exchange(address, version, action, envelope, outcome);
    try {
      HttpAsyncRequester requester = isSecure(address) ? secure : plain;
      if (requester != null && isLiteral(address)) {
        connect(requester, host(address), exchange);
      } else {
        // A name server that does not answer delays only requests that need it.
        exchange.limitConnecting(null);
        names.execute(() -> lookUp(address, exchange));
      }
    } catch (UnknownHostException | RuntimeException e) {
      // For example because of a close; the outcome is reported in any case.
      exchange.fail(e.toString());
    }
  }

  private void lookUp(URI address, Exchange exchange) {
    if (exchange.isOver()) {
      return;
    }
    try {
      HttpAsyncRequester requester = isSecure(address) ? secure() : plain;
      connect(requester, host(address), exchange);
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      exchange.fail(e.toString());
    }
  }

  private void connect(HttpAsyncRequester requester, HttpHost host, Exchange exchange) {
    exchange.limitConnecting(requester.connect(host, socketTimeout, null, exchange));
  }

  private synchronized HttpAsyncRequester secure() throws GeneralSecurityException {
    if (closed) {
      throw new RejectedExecutionException("closed");
    }
    if (secure == null) {
      HttpAsyncRequester requester =
          bootstrap()
              // Also verifies the server's name. Buffers of 16 KB are released while a connection is idle.
              .setTlsStrategy(new BasicClientTlsStrategy(settings.trust().context(), SSLBufferMode.DYNAMIC, null, null))
              .setTlsHandshakeTimeout(Timeout.of(settings.connectTimeout()))
              .create();
      requester.start();
      secure = requester;
    }
    return secure;
  }

  private static boolean isLiteral(URI address) {
    return LITERAL.matcher(address.getHost()).matches();
  }

  /** Blocks, unless the host is literal. One address gives one pool of connections. */
  private static HttpHost host(URI address) throws UnknownHostException {
    String scheme = isSecure(address) ? "https" : "http";
    int port = address.getPort() >= 0 ? address.getPort() : isSecure(address) ? 443 : 80;
    return isLiteral(address)
        ? new HttpHost(scheme, address.getHost(), port)
        : new HttpHost(scheme, InetAddress.getByName(address.getHost()), address.getHost(), port);
  }

  private static boolean isSecure(URI address) {
    return "https".equalsIgnoreCase(address.getScheme());
  }

  /** Closes connections that were idle for ten seconds. To be called periodically. */
  public void closeIdle() {
    closeIdle(plain);
    HttpAsyncRequester requester = secure;
    if (requester != null) {
      closeIdle(requester);
    }
  }

  private static void closeIdle(HttpAsyncRequester requester) {
    requester.closeIdle(IDLE);
    requester.closeExpired();
  }

  /** Closes all connections. Waits for the threads, ten seconds at most. */
  @Override
  public void close() {
    names.shutdownNow();
    HttpAsyncRequester other;
    synchronized (this) {
      closed = true;
      other = secure;
    }
    close(plain);
    if (other != null) {
      close(other);
    }
    Threads.join("The threads that look up names", names);
  }

  private static void close(HttpAsyncRequester requester) {
    requester.close(CloseMode.IMMEDIATE);
    try {
      requester.awaitShutdown(TimeValue.ofSeconds(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One request and its answer, beginning with the connection. */
  private final class Exchange implements FutureCallback<AsyncClientEndpoint> {
    private final URI address;
    private final SoapVersion version;
    private final String action;
    private final List<byte[]> envelope;
    private final Outcome outcome;
    private final AtomicBoolean over = new AtomicBoolean();
    /** Written with this lock. */
    private volatile AsyncClientEndpoint endpoint;
    private volatile Future<?> attempt;
    private ScheduledFuture<?> deadline;

    Exchange(URI address, SoapVersion version, String action, List<byte[]> envelope, Outcome outcome) {
      this.address = address;
      this.version = version;
      this.action = action;
      this.envelope = envelope;
      this.outcome = outcome;
    }

    /** Registers the pending connection attempt, which is cancelled with the exchange. */
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
          // The socket's timeout counts from the last byte, so it does not end a server that sends slowly.
          deadline = failAfter(answerWithinMs, "no answer within " + answerWithinMs + " ms");
        }
      }
      if (endpoint == null) {
        connected.releaseAndDiscard();
        return;
      }
      BasicHttpRequest request = new BasicHttpRequest("POST", address);
      boolean soap12 = version == SoapVersion.SOAP12;
      if (!soap12) {
        request.setHeader("SOAPAction", "\"" + action + "\"");
      }
      String contentType = soap12 ? version.contentType() + "; action=\"" + action + "\"" : version.contentType();
      if (!settings.reuse()) {
        request.setHeader("Connection", "close");
      }
      connected.execute(
          new BasicRequestProducer(request, new EnvelopeProducer(contentType, envelope)),
          new BasicResponseConsumer<>(new BoundedBody()),
          new FutureCallback<Message<HttpResponse, byte[]>>() {
            @Override
            public void completed(Message<HttpResponse, byte[]> message) {
              succeed(HttpAnswer.of(message.getHead(), message.getBody()));
            }

            @Override
            public void failed(Exception e) {
              fail(e instanceof TooLongException ? NoAnswer.TOO_LONG : NoAnswer.LOST, e.toString());
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

    private void succeed(HttpAnswer answer) {
      if (finish()) {
        if (settings.reuse()) {
          endpoint.releaseAndReuse();
        } else {
          endpoint.releaseAndDiscard();
        }
        outcome.answered(answer);
      }
    }

    private void fail(String why) {
      fail(endpoint == null ? NoAnswer.NOT_SENT : NoAnswer.LOST, why);
    }

    private void fail(NoAnswer what, String why) {
      if (finish()) {
        if (endpoint != null) {
          endpoint.releaseAndDiscard();
        } else if (attempt != null) {
          attempt.cancel(true);
        }
        outcome.failed(what, why);
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

    /** Reads an answer up to the limit. */
    private final class BoundedBody extends AbstractBinAsyncEntityConsumer<byte[]> {
      private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
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
        if (read > settings.answerBytes()) {
          throw new TooLongException(settings.answerBytes());
        }
        if (over.get()) {
          throw new IOException("The answer arrived too late.");
        }
        if (settings.keepAnswers()) {
          byte[] some = new byte[bytes.remaining()];
          bytes.get(some);
          kept.writeBytes(some);
        } else {
          bytes.position(bytes.limit());
        }
      }

      @Override
      protected byte[] generateContent() {
        return kept.toByteArray();
      }

      @Override
      public void releaseResources() {}
    }
  }
}
