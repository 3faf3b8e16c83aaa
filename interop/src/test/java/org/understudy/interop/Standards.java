package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.xml.namespace.QName;
import org.understudy.interop.Post.Answer;
import org.w3c.dom.Element;

/** WSRF's and WS-Notification's operations at one replica, one after another, in envelopes of one style. */
final class Standards {
  static final String OASIS = "http://docs.oasis-open.org/";
  static final String WSNT = OASIS + "wsn/b-2";

  private static final String RP = OASIS + "wsrf/rp-2";
  private static final String RL = OASIS + "wsrf/rl-2";
  private static final String DIALECT = OASIS + "wsn/t-1/TopicExpression/Concrete";
  private static final int WAIT_S = 30;

  private final String soap;
  private final UnaryOperator<Post> style;
  private final String services;

  /** @param service the counter's service at the replica */
  Standards(String soap, UnaryOperator<Post> style, String service) {
    this.soap = soap;
    this.style = style;
    this.services = service.substring(0, service.lastIndexOf('/') + 1);
  }

  /** What an operation is told: an element of this name with that content. */
  static String element(String namespace, String name, String content) {
    return "<o:" + name + " xmlns:o=\"" + namespace + "\">" + content + "</o:" + name + ">";
  }

  private static String topic(String name) {
    return "<o:" + name + " Dialect=\"" + DIALECT + "\">c:Value</o:" + name + ">";
  }

  /** Another replica's address, here. */
  private String here(String address) {
    return services + address.substring(address.indexOf("/services/") + "/services/".length());
  }

  private Answer ask(String address, String portType, String namespace, String name, String content)
      throws IOException, InterruptedException {
    Answer answer = style.apply(Post.of(soap, element(namespace, name, content))).to(here(address));
    String what = name + " at " + address + ": " + answer.envelope().getDocumentElement().getTextContent();
    assertEquals(200, answer.status(), what);
    assertEquals(soap, answer.envelope().getDocumentElement().getNamespaceURI(), what);
    assertEquals(new QName(namespace, name + "Response"), answer.content(), what);
    String action = answer.text(Post.WSA, "Action");
    assertTrue(action == null || action.equals(OASIS + portType + "/" + name + "Response"), action);
    return answer;
  }

  private static String address(Answer answer, String namespace, String name) {
    Element reference = (Element) answer.envelope().getElementsByTagNameNS(namespace, name).item(0);
    return reference.getElementsByTagNameNS(Post.WSA, "Address").item(0).getTextContent().strip();
  }

  private Answer subscribe(String counter, String consumer) throws IOException, InterruptedException {
    return ask(counter, "wsn/bw-2/NotificationProducer", WSNT, "Subscribe",
        "<o:ConsumerReference><wsa:Address>" + consumer + "</wsa:Address></o:ConsumerReference><o:Filter>"
            + topic("TopicExpression") + "</o:Filter>");
  }

  /** Each operation once, and that it did what it says. */
  void play() throws IOException, InterruptedException {
    String counter = here(Post.create(soap).to(services + "CounterService").text(Post.WSA, "Address"));
    assertEquals(3, Post.add(soap, 3).to(counter).total());
    assertEquals("3", ask(counter, "wsrf/rpw-2/GetResourceProperty", RP, "GetResourceProperty", "c:Value")
        .text(Post.COUNTER, "Value"));
    assertNotNull(ask(counter, "wsrf/rlw-2/ScheduledResourceTermination", RL, "SetTerminationTime",
        "<o:RequestedLifetimeDuration>PT1H</o:RequestedLifetimeDuration>").text(RL, "NewTerminationTime"));
    String point = address(
        ask(services + "CreatePullPoint", "wsn/bw-2/CreatePullPoint", WSNT, "CreatePullPoint", ""), WSNT, "PullPoint");
    String subscription = address(subscribe(counter, point), WSNT, "SubscriptionReference");
    assertEquals("3", ask(counter, "wsn/bw-2/NotificationProducer", WSNT, "GetCurrentMessage", topic("Topic"))
        .text(Post.COUNTER, "Value"));
    assertEquals(7, Post.add(soap, 4).to(counter).total());
    assertEquals("7", message(point));
    String manager = "wsn/bw-2/PausableSubscriptionManager";
    ask(subscription, manager, WSNT, "PauseSubscription", "");
    ask(subscription, manager, WSNT, "ResumeSubscription", "");
    assertNotNull(ask(subscription, "wsn/bw-2/SubscriptionManager", WSNT, "Renew",
        "<o:TerminationTime>PT1H</o:TerminationTime>").text(WSNT, "TerminationTime"));
    ask(subscription, "wsn/bw-2/SubscriptionManager", WSNT, "Unsubscribe", "");
    assertUnknown(subscription, "Unsubscribe");
    ask(point, "wsn/bw-2/PullPoint", WSNT, "DestroyPullPoint", "");
    assertUnknown(point, "GetMessages");
  }

  /** The value that the next message in a pull point tells. */
  private String message(String point) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_S);
    Element told = null;
    while (told == null && System.nanoTime() < end) {
      Answer answer = ask(point, "wsn/bw-2/PullPoint", WSNT, "GetMessages", "<o:MaximumNumber>1</o:MaximumNumber>");
      told = (Element) answer.envelope().getElementsByTagNameNS(RP, "NewValues").item(0);
    }
    assertNotNull(told, "No message within " + WAIT_S + " s.");
    return told.getTextContent().strip();
  }

  private void assertUnknown(String address, String operation) throws IOException, InterruptedException {
    Answer answer = style.apply(Post.of(soap, element(WSNT, operation, ""))).to(here(address));
    assertEquals(500, answer.status());
    assertEquals(1, answer.envelope().getElementsByTagNameNS(OASIS + "wsrf/r-2", "ResourceUnknownFault").getLength());
  }

  /** What was made can be reached by its reference parameter, without its own address. */
  void playByReferenceParameter() throws IOException, InterruptedException {
    String counter = here(Post.create(soap).to(services + "CounterService").text(Post.WSA, "Address"));
    String point = address(
        ask(services + "CreatePullPoint", "wsn/bw-2/CreatePullPoint", WSNT, "CreatePullPoint", ""), WSNT, "PullPoint");
    String subscription = address(subscribe(counter, point), WSNT, "SubscriptionReference");
    by(counter).ask(services + "CounterService", "wsrf/rpw-2/GetResourceProperty", RP, "GetResourceProperty", "c:Value");
    by(counter).subscribe(services + "CounterService", point);
    by(subscription).ask(services + "SubscriptionManager", "wsn/bw-2/SubscriptionManager", WSNT, "Renew",
        "<o:TerminationTime>PT1H</o:TerminationTime>");
    by(subscription).ask(services + "SubscriptionManager", "wsn/bw-2/SubscriptionManager", WSNT, "Unsubscribe", "");
    assertUnknown(subscription, "Unsubscribe");
    by(point).ask(services + "PullPoint", "wsn/bw-2/PullPoint", WSNT, "GetMessages", "");
  }

  private Standards by(String address) {
    String id = address.substring(address.lastIndexOf('/') + 1);
    return new Standards(soap, post -> style.apply(post).header("<r:ResourceId xmlns:r=\"urn:understudy:replication:1\""
        + " wsa:IsReferenceParameter=\"true\">" + id + "</r:ResourceId>"), services);
  }
}
