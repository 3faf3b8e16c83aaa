package org.understudy.outbox;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.ElementText;
import org.understudy.wsrf.resource.CallSender;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Adds the calls of the service to its updates, within limits. */
final class CallIntake implements CallSender {
  private static final int MAX_BODY_CHARS = 1 << 20;

  private final OutboxSettings settings;
  private final CallTable table;

  CallIntake(OutboxSettings settings, CallTable table) {
    this.settings = settings;
    this.table = table;
  }

  @Override
  public String send(ResourceTransaction transaction, OutgoingCall call) {
    for (URI address : call.addresses()) {
      check(address);
    }
    String text = ElementText.of(call.body());
    if (text.length() > MAX_BODY_CHARS) {
      throw new IllegalArgumentException(
          "The call to " + call.addresses().get(0) + " has a body of " + text.length() + " characters; at most " + MAX_BODY_CHARS
              + " are allowed.");
    }
    String messageId = "urn:uuid:" + UUID.randomUUID();
    String resource = call.resource() != null ? call.resource() : transaction.key() == null ? "" : transaction.key();
    StoredCall stored =
        new StoredCall(
            call.addresses(), call.group(), call.soap12() ? SoapVersion.SOAP12 : SoapVersion.SOAP11, call.action(), messageId, resource,
            call.tag(), text.getBytes(StandardCharsets.UTF_8));
    byte[] bytes = stored.encode();
    long waiting = table.waitingBytes(stored.destination()) + transaction.appended(Keys.LOG);
    if (waiting + bytes.length > settings.destinationBytes()) {
      throw new IllegalStateException(
          "The call to " + stored.destination() + " is refused: calls of " + waiting + " bytes wait for it already, and at most "
              + settings.destinationBytes() + " may (" + settings.bytesSetting() + "). Check whether the destination answers.");
    }
    transaction.append(Keys.LOG, bytes);
    return messageId;
  }

  private void check(URI address) {
    if (!settings.allowed().test(address)) {
      throw new IllegalArgumentException(
          "A call to " + address + " is refused: its host is not in " + settings.hostsSetting()
              + ". Add the host on every replica if the service may call it.");
    }
  }
}
