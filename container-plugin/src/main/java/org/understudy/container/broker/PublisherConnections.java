package org.understudy.container.broker;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hc.core5.concurrent.FutureCallback;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.bootstrap.AsyncRequesterBootstrap;
import org.apache.hc.core5.http.impl.bootstrap.HttpAsyncRequester;
import org.apache.hc.core5.http.message.BasicHttpRequest;
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
import org.understudy.container.soap.EnvelopeWriter;
import org.understudy.notification.addressing.Addressing;
import org.understudy.notification.addressing.EndpointReference;

/**
 * Requests to publishers: SOAP 1.1 over HTTP, without a thread that waits. They are few and far between, so each has a
 * connection of its own. Nothing is sent twice. Thread-safe.
 */
final class PublisherConnections implements AutoCloseable {
  /**
   * What came of a request.
   *
   * @param status of HTTP; 0 when there was no answer
   * @param text of the answer, or why there is none
   */
  record Answer(int status, String text) {}

  private static final String SOAP = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final long DEADLINE_MS = 10_000;
  private static final int MOST_ANSWER_BYTES = 256 << 10;
  private static final int MOST_CONNECTIONS = 256;

  private final ScheduledExecutorService timer;
  /** Only a name server can keep it waiting. */
  private final ExecutorService names =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "understudy-broker-names");
            thread.setDaemon(true);
            return thread;
          });
  private final HttpAsyncRequester requester;

  /** @param timer watches the deadlines; whoever made it closes it */
  PublisherConnections(ScheduledExecutorService timer) {
    this.timer = timer;
    this.requester =
        AsyncRequesterBootstrap.bootstrap()
            .setIOReactorConfig(
                IOReactorConfig.custom()
                    .setIoThreadCount(1)
                    .setTcpNoDelay(true)
                    .setSoTimeout(Timeout.ofMilliseconds(DEADLINE_MS))
                    .build())
            .setHttp1Config(Http1Config.custom().setMaxHeaderCount(100).setMaxLineLength(8_192).build())
            // Not the default chain: it would ask for 100-continue and name the library.
            .setHttpProcessor(
                HttpProcessorBuilder.create()
                    .addAll(new RequestTargetHost(), new RequestContent(), new RequestConnControl())
                    .build())
            .setMaxTotal(MOST_CONNECTIONS)
            .setDefaultMaxPerRoute(MOST_CONNECTIONS)
            .create();
    requester.start();
  }

  /**
   * Begins a request. Returns at once.
   *
   * @param action {@code wsa:Action}
   * @param body an element that declares every prefix it uses
   * @param done told exactly once, by any thread; must not block
   */
  void post(EndpointReference to, String action, String body, Consumer<Answer> done) {
    byte[] envelope = envelope(to, action, body).getBytes(StandardCharsets.UTF_8);
    Exchange exchange = new Exchange(done);
    try {
      timer.schedule(
          () -> exchange.fail("no answer within " + DEADLINE_MS + " ms"), DEADLINE_MS, TimeUnit.MILLISECONDS);
      names.execute(() -> send(to.address(), action, envelope, exchange));
    } catch (RejectedExecutionException e) {
      exchange.fail("closed");
    }
  }

  private static String envelope(EndpointReference to, String action, String body) {
    return "<soap:Envelope xmlns:soap=\"" + SOAP + "\" xmlns:wsa=\"" + Addressing.NAMESPACE + "\"><soap:Header><wsa:To>"
        + EnvelopeWriter.escape(to.address().toString()) + "</wsa:To><wsa:Action>" + action
        + "</wsa:Action><wsa:MessageID>urn:uuid:" + UUID.randomUUID() + "</wsa:MessageID><wsa:ReplyTo><wsa:Address>"
        + Addressing.ANONYMOUS + "</wsa:Address></wsa:ReplyTo>" + to.headerBlocks() + "</soap:Header><soap:Body>" + body
        + "</soap:Body></soap:Envelope>";
  }

  private void send(URI address, String action, byte[] envelope, Exchange exchange) {
    try {
      int port = address.getPort() < 0 ? 80 : address.getPort();
      HttpHost host = new HttpHost("http", InetAddress.getByName(address.getHost()), address.getHost(), port);
      String path = address.getRawPath().isEmpty() ? "/" : address.getRawPath();
      BasicHttpRequest request =
          new BasicHttpRequest("POST", host, address.getRawQuery() == null ? path : path + "?" + address.getRawQuery());
      request.setHeader("SOAPAction", "\"" + action + "\"");
      request.setHeader("Connection", "close");
      exchange.began(
          requester.execute(
              host,
              new BasicRequestProducer(
                  request,
                  new BasicAsyncEntityProducer(envelope, ContentType.create("text/xml", StandardCharsets.UTF_8))),
              new BasicResponseConsumer<>(new BoundedText()),
              Timeout.ofMilliseconds(DEADLINE_MS),
              exchange));
    } catch (UnknownHostException | RuntimeException e) {
      exchange.fail(e.toString());
    }
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

  /** Tells once. */
  private static final class Exchange implements FutureCallback<Message<HttpResponse, String>> {
    private final Consumer<Answer> done;
    private final AtomicBoolean over = new AtomicBoolean();
    private volatile Future<?> future;

    Exchange(Consumer<Answer> done) {
      this.done = done;
    }

    void began(Future<?> begun) {
      future = begun;
      if (over.get()) {
        begun.cancel(true);
      }
    }

    @Override
    public void completed(Message<HttpResponse, String> answer) {
      if (over.compareAndSet(false, true)) {
        done.accept(new Answer(answer.getHead().getCode(), answer.getBody() == null ? "" : answer.getBody()));
      }
    }

    @Override
    public void failed(Exception e) {
      fail(e.toString());
    }

    @Override
    public void cancelled() {
      fail("cancelled");
    }

    void fail(String why) {
      if (over.compareAndSet(false, true)) {
        if (future != null) {
          future.cancel(true);
        }
        done.accept(new Answer(0, why));
      }
    }
  }

  /** Reads an answer, but not without end. */
  private static final class BoundedText extends AbstractBinAsyncEntityConsumer<String> {
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    @Override
    protected void streamStart(ContentType contentType) {}

    @Override
    protected int capacityIncrement() {
      return Integer.MAX_VALUE;
    }

    @Override
    protected void data(ByteBuffer bytes, boolean endOfStream) throws IOException {
      if (read.size() + bytes.remaining() > MOST_ANSWER_BYTES) {
        throw new IOException("The answer has more than " + MOST_ANSWER_BYTES + " bytes.");
      }
      byte[] some = new byte[bytes.remaining()];
      bytes.get(some);
      read.writeBytes(some);
    }

    @Override
    protected String generateContent() {
      return read.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void releaseResources() {
      read.reset();
    }
  }
}
