package org.understudy.container.outgoing;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.net.URI;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.replication.api.OutgoingReplies;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Orders for one desk or another, and orders again when a reply requests it. Its state is in resources. */
@WebService(targetNamespace = "urn:desk")
@ResourceState(Desk.class)
public class DeskService implements OutgoingReplies {
  private final ResourceHome<Desk> home;

  public DeskService(ResourceHome<Desk> home) {
    this.home = home;
  }

  /** Makes a desk, and orders for it; the reply arrives there. */
  @WebMethod
  public String create(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    String id = home.create(new Desk());
    home.outgoing().send(call(item, address).replyingAt(id));
    return id;
  }

  /** Orders for this desk. */
  @WebMethod
  public void order(@WebParam(name = "item") String item, @WebParam(name = "address") String address) {
    home.current().note("ordered " + item);
    home.outgoing().send(call(item, address));
  }

  @WebMethod
  public void end() {
    home.destroyCurrent();
  }

  @WebMethod
  @Read
  public String notes() {
    return home.current().notes();
  }

  private static OutgoingCall call(String item, String address) {
    return OutgoingCall.to(URI.create(address), "urn:order", ShopService.body("order", item)).tagged(address).inSoap12();
  }

  @Override
  public void replied(OutgoingReply reply) {
    String text = reply.body().getTextContent();
    home.current().note(text);
    if (text.startsWith("next ")) {
      home.outgoing().send(call(text.substring(5), reply.tag()));
    }
  }
}
