package org.understudy.container.outgoing;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.replication.api.OutgoingReplies;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.StateCapture;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Element;

/** Orders each item at another service, and notes what comes back. Keeps its state in itself. */
@WebService(targetNamespace = "urn:shop")
public class ShopService implements StateCapture, OutgoingReplies {
  /** Replies that are still to be refused with an exception. */
  static final AtomicInteger REFUSALS = new AtomicInteger();

  /** Of all replicas in this process. */
  static final List<ResourceHome<ShopService>> HOMES = new CopyOnWriteArrayList<>();

  private final ResourceHome<ShopService> home;
  private final StringBuilder notes = new StringBuilder();

  public ShopService(ResourceHome<ShopService> home) {
    this.home = home;
    HOMES.add(home);
  }

  /** Orders an item at an address. */
  @WebMethod
  public String order(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    String tag = item.substring(0, Math.min(20, item.length()));
    String id = home.outgoing().send(OutgoingCall.to(URI.create(address), "urn:order", body("order", item)).tagged(tag));
    notes.append("ordered ").append(item).append('\n');
    return id;
  }

  /** Orders an item at a group of replicas, whose addresses are separated by spaces. */
  @WebMethod
  public String orderAtGroup(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    List<URI> replicas = Arrays.stream(address.split(" ")).map(URI::create).toList();
    Element body = Elements.read("<n:append xmlns:n=\"urn:notebook\"><text>" + item + "</text></n:append>");
    notes.append("ordered ").append(item).append('\n');
    return home.outgoing().send(OutgoingCall.toGroup(replicas, "", body).tagged(item));
  }

  void note(String text) {
    notes.append(text).append('\n');
  }

  void clear() {
    notes.setLength(0);
  }

  /** Tries to update from within an operation. */
  @WebMethod
  public String refusedUpdate(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    return attempt(() -> home.update(null, shop -> shop.note(item)));
  }

  /** Tries to order, and returns why that is refused. */
  @WebMethod
  public String refused(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    return attempt(() -> home.outgoing().send(OutgoingCall.to(URI.create(address), "urn:order", body("order", item))));
  }

  /** The same in a read. */
  @WebMethod
  @Read
  public String refusedInRead(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    return refused(item, address);
  }

  /** The same for a resource that cannot be created. */
  @WebMethod
  public String refusedResource(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    return attempt(() -> home.create(this));
  }

  private static String attempt(Runnable task) {
    try {
      task.run();
    } catch (IllegalArgumentException | IllegalStateException e) {
      return e.getMessage();
    }
    throw new AssertionError("Nothing was refused.");
  }

  @WebMethod
  @Read(ReadLevel.LINEARIZABLE)
  public String notes() {
    return notes.toString();
  }

  static Element body(String name, String text) {
    return Elements.read("<o:" + name + " xmlns:o=\"urn:orders\">" + text + "</o:" + name + ">");
  }

  @Override
  public void replied(OutgoingReply reply) {
    if (REFUSALS.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
      notes.append("half a note");
      throw new IllegalStateException("The test refuses this reply.");
    }
    String text = reply.body() == null ? "nothing" : reply.body().getTextContent().strip();
    notes.append(reply.kind()).append(' ').append(reply.tag()).append(": ").append(text).append('\n');
  }

  @Override
  public byte[] captureState() {
    if (notes.indexOf("RESULT uncapturable") >= 0) {
      throw new IllegalStateException("The test refuses to capture this state.");
    }
    return notes.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    notes.setLength(0);
    notes.append(new String(state, StandardCharsets.UTF_8));
  }
}
