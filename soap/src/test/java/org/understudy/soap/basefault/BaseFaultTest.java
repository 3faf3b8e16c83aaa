package org.understudy.soap.basefault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import javax.xml.namespace.QName;
import org.junit.jupiter.api.Test;

class BaseFaultTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123456789Z");
  private static final String BF = " xmlns:bf=\"http://docs.oasis-open.org/wsrf/bf-2\">";

  private record Declared(QName element, DeclaredFault.Family family, boolean sender) implements FaultType {}

  @Test
  void elementsOfABaseFaultAreInSchemaOrder() {
    FaultType type = new Declared(new QName("urn:f", "Broken", "b"), DeclaredFault.Family.WSN, false);
    BaseFault cause = BaseFault.of(ResourceFaultType.INVALID_MODIFICATION, NOW, "No.");
    DeclaredFault fault =
        BaseFault.of(type, NOW, "Gone & forgotten.").originator("http://h/?a&b").cause(cause).extension("<x/>").declared();
    assertEquals(
        "<b:Broken xmlns:b=\"urn:f\"" + BF + "<bf:Timestamp>2026-01-01T00:00:00.123Z</bf:Timestamp>"
            + "<bf:Originator><wsa:Address xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">http://h/?a&amp;b"
            + "</wsa:Address></bf:Originator><bf:Description xml:lang=\"en\">Gone &amp; forgotten.</bf:Description>"
            + "<bf:FaultCause><f:InvalidModificationFault xmlns:f=\"http://docs.oasis-open.org/wsrf/rp-2\"" + BF
            + "<bf:Timestamp>2026-01-01T00:00:00.123Z</bf:Timestamp><bf:Description xml:lang=\"en\">No.</bf:Description>"
            + "</f:InvalidModificationFault></bf:FaultCause><x/></b:Broken>",
        fault.detail());
    assertEquals("Gone & forgotten.", fault.getMessage());
  }

  @Test
  void faultTypeDeterminesCodeAndAction() {
    DeclaredFault unable =
        BaseFault.of(new Declared(new QName("urn:f", "F"), DeclaredFault.Family.WSN, false), NOW, "No.").declared();
    assertFalse(unable.sender());
    assertEquals("http://docs.oasis-open.org/wsn/fault", unable.family().action());
    DeclaredFault unknown = BaseFault.of(ResourceFaultType.RESOURCE_UNKNOWN, NOW, "No.").declared();
    assertTrue(unknown.sender());
    assertEquals("http://docs.oasis-open.org/wsrf/fault", unknown.family().action());
  }
}
