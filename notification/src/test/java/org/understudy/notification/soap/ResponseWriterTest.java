package org.understudy.notification.soap;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.notification.fault.NotificationFault;
import org.understudy.notification.fault.NotificationFaultType;
import org.understudy.soap.envelope.SoapVersion;

class ResponseWriterTest {
  private static final Set<NotificationFaultType> UNABLE =
      EnumSet.of(
          NotificationFaultType.UNABLE_TO_DESTROY_SUBSCRIPTION, NotificationFaultType.PAUSE_FAILED,
          NotificationFaultType.RESUME_FAILED,
          NotificationFaultType.UNABLE_TO_GET_MESSAGES, NotificationFaultType.UNABLE_TO_DESTROY_PULL_POINT,
          NotificationFaultType.UNABLE_TO_CREATE_PULL_POINT,
          NotificationFaultType.REGISTRATION_NOT_DESTROYED);

  private static String fault(SoapVersion version, NotificationFaultType type) {
    Instant now = Instant.parse("2026-01-01T00:00:00.123456789Z");
    return new String(new ResponseWriter(version, "urn:1").fault(NotificationFault.of(type, "No."), now), UTF_8);
  }

  @Test
  void whoIsUnableIsToBlameAndNotTheRequest() {
    for (NotificationFaultType type : NotificationFaultType.values()) {
      boolean unable = UNABLE.contains(type);
      String old = fault(SoapVersion.SOAP11, type);
      assertTrue(old.contains("<faultcode>soap:" + (unable ? "Server" : "Client") + "</faultcode>"), old);
      String fresh = fault(SoapVersion.SOAP12, type);
      assertTrue(
          fresh.contains("<soap:Code><soap:Value>soap:" + (unable ? "Receiver" : "Sender") + "</soap:Value></soap:Code>"),
          fresh);
    }
  }

  @Test
  void aTimestampHasWholeMilliseconds() {
    String fault = fault(SoapVersion.SOAP11, NotificationFaultType.PAUSE_FAILED);
    assertTrue(fault.contains("<bf:Timestamp>2026-01-01T00:00:00.123Z</bf:Timestamp>"), fault);
    assertTrue(fault.contains("<wsa:Action>http://docs.oasis-open.org/wsn/fault</wsa:Action>"), fault);
  }
}
