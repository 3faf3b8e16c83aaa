package org.understudy.counter.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.understudy.notification.message.NotificationHandler;
import org.understudy.notification.message.NotifyReader;
import org.understudy.notification.topic.TopicPath;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.HardenedXmlReader;
import org.understudy.soap.xml.XmlLimits;
import org.understudy.thread.DaemonThreads;

/**
 * A NotificationConsumer (WS-BaseNotification 1.3, section 3) for what happens to a counter. Each message id is taken once:
 * after a failover the last messages may come again. A message that finds the queue full is refused, and the producer keeps
 * it for another attempt. Thread-safe.
 */
public final class ValueConsumer implements AutoCloseable {
  /**
   * What has happened.
   *
   * @param ended whether the counter has ended
   * @param value otherwise its new value
   */
  public record News(boolean ended, int value) {}

  private static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
  private static final QName TERMINATION =
      new QName("http://docs.oasis-open.org/wsrf/rl-2", "TerminationNotification");
  private static final Pattern CHARSET = Pattern.compile("charset\\s*=\\s*\"?([^\\s\";]+)", Pattern.CASE_INSENSITIVE);
  private static final int THREADS = 4;
  private static final int BACKLOG = 16;
  private static final int MAX_BYTES = 1 << 20;
  private static final int MAX_WAITING = 10_000;
  private static final int MAX_IDS = 10_000;

  private final NotifyReader reader = new NotifyReader(new HardenedXmlReader(XmlLimits.ofMessages(MAX_BYTES)));
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>(MAX_WAITING);
  private final RecentIds ids = new RecentIds(MAX_IDS);
  private final ExecutorService threads;
  private final HttpServer server;
  private final URI address;

  /**
   * Listens.
   *
   * @param host under which the replicas reach this machine; listened on as well
   * @param port 0 takes a free one
   * @throws CounterException when it is not free, or the host is not this machine
   */
  public ValueConsumer(String host, int port) throws CounterException {
    // The path can't be guessed: nobody but the subscription knows it.
    String path = "/value/" + UUID.randomUUID();
    InetSocketAddress where = new InetSocketAddress(host, port);
    if (where.isUnresolved()) {
      throw new CounterException("The host " + host + " is unknown; set --host to a name under which the replicas "
          + "reach this machine.", null);
    }
    try {
      this.server = HttpServer.create(where, BACKLOG);
    } catch (BindException e) {
      throw new CounterException(
          "Cannot listen at " + host + ":" + port + " (" + e.getMessage() + "); choose another --port or --host.", e);
    } catch (IOException e) {
      throw new CounterException("Listening at " + host + ":" + port + " failed (" + e.getMessage() + ").", e);
    }
    this.threads = Executors.newFixedThreadPool(THREADS, new DaemonThreads("value-consumer-"));
    this.address = URI.create("http://" + (host.contains(":") ? "[" + host + "]" : host) + ":"
        + server.getAddress().getPort() + path);
    server.setExecutor(threads);
    server.createContext(path, this::handle);
    server.start();
  }

  /** Where messages are to be sent. */
  public URI address() {
    return address;
  }

  /**
   * What has happened next. Blocks.
   *
   * @return null when nothing came in time
   */
  public News next(Duration wait) throws InterruptedException {
    return news.poll(wait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      int status = status(exchange);
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private int status(HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) {
      exchange.getResponseHeaders().set("Allow", "POST");
      return 405;
    }
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1);
    if (body.length > MAX_BYTES) {
      return 413;
    }
    Told told = new Told();
    try {
      reader.read(body, 0, body.length, charset(exchange.getRequestHeaders().getFirst("Content-Type")), told);
    } catch (XMLStreamException e) {
      return 400;
    }
    return take(told) ? 202 : 503;
  }

  /** All of them or none: what is refused comes again as a whole. */
  private synchronized boolean take(Told told) {
    if (news.remainingCapacity() < told.news.size()) {
      return false;
    }
    if (ids.add(told.id)) {
      news.addAll(told.news);
    }
    return true;
  }

  private static String charset(String contentType) {
    Matcher charset = CHARSET.matcher(contentType == null ? "" : contentType);
    return charset.find() ? charset.group(1) : StandardCharsets.UTF_8.name();
  }

  /** Takes no more messages. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** What one Notify holds. */
  private static final class Told implements NotificationHandler {
    private final List<News> news = new ArrayList<>();
    private String id;

    @Override
    public void header(XMLStreamReader in) throws XMLStreamException {
      if (Addressing.NAMESPACE.equals(in.getNamespaceURI()) && "MessageID".equals(in.getLocalName())) {
        id = in.getElementText().trim();
      }
    }

    /**
     * The Value in NewValues of a ResourcePropertyValueChangeNotification (WS-ResourceProperties 1.2, section 7), or a
     * TerminationNotification (WS-ResourceLifetime 1.2, section 6). Another message means nothing here.
     */
    @Override
    public void message(TopicPath topic, EndpointReference producer, XMLStreamReader in) throws XMLStreamException {
      if (TERMINATION.equals(in.getName())) {
        news.add(new News(true, 0));
        return;
      }
      boolean isNew = false;
      for (int depth = 1; depth > 0; ) {
        switch (in.next()) {
          case XMLStreamConstants.START_ELEMENT -> {
            if (RP.equals(in.getNamespaceURI())) {
              isNew = in.getLocalName().equals("NewValues");
            }
            if (isNew && Counter.VALUE.equals(in.getName())) {
              news.add(new News(false, number(in)));
            } else {
              depth++;
            }
          }
          case XMLStreamConstants.END_ELEMENT -> depth--;
          default -> {
            // White space.
          }
        }
      }
    }

    private static int number(XMLStreamReader in) throws XMLStreamException {
      String text = in.getElementText().trim();
      try {
        return Integer.parseInt(text);
      } catch (NumberFormatException e) {
        throw new XMLStreamException("Invalid value: " + text, in.getLocation(), e);
      }
    }
  }
}
