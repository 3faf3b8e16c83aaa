package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.util.List;

/** Messages with WS-Addressing, to services with it and without. */
final class AddressingMessages {
  private static final String WSA = " xmlns:a='http://www.w3.org/2005/08/addressing'";
  private static final String ANONYMOUS = "http://www.w3.org/2005/08/addressing/anonymous";
  private static final String ECHO = "<t:echo xmlns:t='urn:twin'><text>a</text></t:echo>";

  private AddressingMessages() {}

  private static String block(String name, String content) {
    return "<a:" + name + WSA + ">" + content + "</a:" + name + ">";
  }

  private static TwinMessage addressed(String name, String blocks) {
    return to("Addressed", (name.contains(": ") ? "" : "addressed ") + name).body(ECHO).blocks(blocks);
  }

  static List<TwinMessage> all() {
    String action = block("Action", "urn:twin:Addressed:echo");
    String address = block("Address", ANONYMOUS);
    String parameters = block("ReferenceParameters", "<c:Conversation xmlns:c='urn:c'>42</c:Conversation>");
    return List.of(
        addressed("without", ""),
        addressed("with all", action + block("To", "urn:to") + block("ReplyTo", address)).identified(),
        addressed("without identity", action),
        addressed("without an action", "").identified(),
        addressed("with an unknown action", block("Action", "urn:any")).identified(),
        addressed("with two identities", action + block("MessageID", "urn:other")).identified(),
        addressed("with reference parameters", action + block("ReplyTo", address + parameters)).identified(),
        addressed("with From and RelatesTo", action + block("From", block("Address", "urn:me")) + block("RelatesTo", "urn:before"))
            .identified(),
        addressed("with FaultTo", action + block("FaultTo", address)).identified(),
        addressed("with the none address", action + block("ReplyTo", block("Address", "http://www.w3.org/2005/08/addressing/none")))
            .identified(),
        addressed("with an invalid ReplyTo", action + block("ReplyTo", "")).identified(),
        addressed("with an action and SOAPAction that differ", action).action("urn:other").identified(),
        addressed("with an action and an equal SOAPAction", action).action("urn:twin:Addressed:echo").identified(),
        addressed("no operation: addressed", block("Action", "urn:any")).body("<t:unknown xmlns:t='urn:twin'/>").identified(),
        addressed("of the year 2004",
            "<a:MessageID xmlns:a='http://schemas.xmlsoap.org/ws/2004/08/addressing'>urn:old</a:MessageID><a:Action "
                + "xmlns:a='http://schemas.xmlsoap.org/ws/2004/08/addressing'>urn:twin:Addressed:echo</a:Action>"),
        addressed("that must be understood",
            action.replace("<a:Action", "<a:Action xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' e:mustUnderstand='1'")).identified(),
        to("Addressed", "addressed one-way").body("<t:note xmlns:t='urn:twin'><text>a</text></t:note>")
            .blocks(block("Action", "urn:twin:Addressed:note")).identified().awaited(),
        to("Addressed", "addressed null answer").body("<t:nullText xmlns:t='urn:twin'/>")
            .blocks(block("Action", "urn:twin:Addressed:nullText")).identified(),
        to("Texts", "addressing that must be understood without it").body(ECHO)
            .blocks(action.replace("<a:Action", "<a:Action xmlns:e='http://schemas.xmlsoap.org/soap/envelope/' e:mustUnderstand='1'")),
        to("Texts", "addressing without identity").body(ECHO).blocks(action + block("ReplyTo", address)),
        to("Texts", "addressing with all").body(ECHO).blocks(action + block("To", "urn:to") + block("ReplyTo", address)).identified(),
        to("Texts", "addressing with a foreign ReplyTo").body(ECHO)
            .blocks(action + block("ReplyTo", block("Address", "http://127.0.0.1:1/none"))).identified());
  }
}
