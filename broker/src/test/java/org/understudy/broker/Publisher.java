package org.understudy.broker;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;

/** A publisher that notes down what the broker asks of it: the operation and, behind a slash, which subscription. */
final class Publisher implements AutoCloseable {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final Pattern OPERATION =
      Pattern.compile("Body><[^:>]*:(Subscribe|Unsubscribe|PauseSubscription|ResumeSubscription|Renew)\\b");
  private static final Pattern CONSUMER = Pattern.compile("ConsumerReference><wsa:Address[^>]*>([^<]*)<");

  private final HttpServer server;
  private final List<String> asked = new ArrayList<>();
  private final List<String> consumers = new ArrayList<>();
  private final List<String> subscribes = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private String lasts = "";
  private int refusals;
  private CountDownLatch held = new CountDownLatch(0);
  private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
  private int unpausable;

  Publisher() throws Exception {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  /** One that speaks https. */
  Publisher(SSLContext tls) throws Exception {
    this(secure(tls));
  }

  private static HttpServer secure(SSLContext tls) throws Exception {
    HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private Publisher(HttpServer server) {
    this.server = server;
    server.createContext("/", exchange -> {
      String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      awaitRelease(text);
      Answer answer = answer(text, exchange.getRequestURI().getPath().substring(1));
      byte[] bytes = answer.text.getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/xml; charset=UTF-8");
      exchange.sendResponseHeaders(answer.status, bytes.length);
      exchange.getResponseBody().write(bytes);
      exchange.close();
    });
    server.start();
  }

  private record Answer(int status, String text) {}

  private synchronized Answer answer(String request, String subscription) {
    Matcher operation = OPERATION.matcher(request);
    if (!operation.find()) {
      return new Answer(500, "what is " + request);
    }
    String name = operation.group(1);
    if (refusals > 0) {
      refusals--;
      return new Answer(503, "");
    }
    if (!subscription.isEmpty() && (lost.contains(subscription) || !request.contains(">" + subscription + "</x:Which>"))) {
      asked.add(name + "/" + subscription + "/unknown");
      return new Answer(500, envelope("<e:Fault><faultcode>e:Client</faultcode><faultstring>gone</faultstring><detail>"
          + "<r:ResourceUnknownFault xmlns:r='http://docs.oasis-open.org/wsrf/r-2'/></detail></e:Fault>"));
    }
    if (unpausable != 0 && (name.equals("PauseSubscription") || name.equals("ResumeSubscription"))) {
      asked.add(name + "/" + subscription + "/what");
      return new Answer(unpausable, envelope("<e:Fault><faultcode>e:Client</faultcode><faultstring>Message part {" + WSNT + "}"
          + name + " was not recognized.</faultstring></e:Fault>"));
    }
    if (!name.equals("Subscribe")) {
      asked.add(name + "/" + subscription);
      return new Answer(200, envelope("<w:" + name + "Response xmlns:w='" + WSNT + "'/>"));
    }
    Matcher consumer = CONSUMER.matcher(request);
    subscribes.add(request);
    consumers.add(consumer.find() ? consumer.group(1) : "nobody in " + request);
    int number = consumers.size();
    asked.add(name);
    return new Answer(200, envelope("<w:SubscribeResponse xmlns:w='" + WSNT + "'><w:SubscriptionReference>"
        + "<a:Address xmlns:a='http://www.w3.org/2005/08/addressing'>" + address() + number + "</a:Address>"
        + "<a:ReferenceParameters xmlns:a='http://www.w3.org/2005/08/addressing'><x:Which xmlns:x='urn:x'>" + number
        + "</x:Which></a:ReferenceParameters></w:SubscriptionReference>" + lasts + "</w:SubscribeResponse>"));
  }

  private static String envelope(String body) {
    return "<e:Envelope xmlns:e='http://schemas.xmlsoap.org/soap/envelope/'><e:Body>" + body + "</e:Body></e:Envelope>";
  }

  String address() {
    return (server instanceof HttpsServer ? "https" : "http") + "://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** What was asked and answered, in its order. */
  synchronized List<String> asked() {
    return List.copyOf(asked);
  }

  /** Where each subscription leads to. */
  synchronized List<String> consumers() {
    return List.copyOf(consumers);
  }

  /** The envelopes of all Subscribe requests that it answered. */
  synchronized List<String> subscribes() {
    return List.copyOf(subscribes);
  }

  /** Forgets a subscription. */
  synchronized void lose(int number) {
    lost.add(Integer.toString(number));
  }

  /** Subscriptions last two seconds from now on. */
  synchronized void lastShortly() {
    lasts = "<w:CurrentTime>2030-01-01T00:00:00Z</w:CurrentTime><w:TerminationTime>2030-01-01T00:00:02Z</w:TerminationTime>";
  }

  /** Knows neither PauseSubscription nor ResumeSubscription, and answers them with this HTTP status. */
  synchronized void cannotPause(int status) {
    unpausable = status;
  }

  /** Answers nothing before {@link #release}. */
  synchronized void hold() {
    held = new CountDownLatch(1);
  }

  /** Waits for a request that is held, and returns the consumer that it names. */
  String awaitHeld() throws InterruptedException {
    Matcher consumer = CONSUMER.matcher(arrived.take());
    return consumer.find() ? consumer.group(1) : "";
  }

  synchronized void release() {
    held.countDown();
  }

  private void awaitRelease(String request) {
    CountDownLatch until;
    synchronized (this) {
      until = held;
    }
    arrived.add(request);
    try {
      until.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The last subscription that was not ended, if the broker has asked this of it; or 0. */
  synchronized int current(String operation) {
    for (int number = consumers.size(); number > 0; number--) {
      if (!asked.contains("Unsubscribe/" + number)) {
        return asked.contains(operation + "/" + number) ? number : 0;
      }
    }
    return 0;
  }

  /** Whether all subscriptions were ended. */
  synchronized boolean hasEndedAll() {
    return IntStream.rangeClosed(1, consumers.size()).allMatch(number -> asked.contains("Unsubscribe/" + number));
  }

  /** Refuses so many requests. */
  synchronized void refuse(int times) {
    refusals = times;
  }

  @Override
  public void close() {
    release();
    server.stop(0);
  }
}
