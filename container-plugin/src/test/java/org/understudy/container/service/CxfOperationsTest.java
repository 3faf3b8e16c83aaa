package org.understudy.container.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.junit.jupiter.api.Test;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.container.operation.Operation;
import org.understudy.replication.api.ReadLevel;

/** What annotation and contract declare together. */
class CxfOperationsTest {
  private static final ReadRules RULES = new ReadRules(ReadLevel.LINEARIZABLE, null);

  private static Map<QName, Operation> operations(Object service, ReadRules rules) throws ConfigurationException {
    Bus bus = BusFactory.newInstance().createBus();
    try {
      JaxWsServerFactoryBean factory = new JaxWsServerFactoryBean();
      factory.setBus(bus);
      factory.setServiceBean(service);
      factory.setWsdlLocation("classpath:wsdl/drawer.wsdl");
      factory.setAddress("/drawer");
      factory.setStart(false);
      return CxfOperations.of(factory.create().getEndpoint(), service.getClass(), rules);
    } finally {
      bus.shutdown(true);
    }
  }

  private static Operation drawer(Map<QName, Operation> operations, String name) {
    return operations.get(new QName("urn:drawer", name));
  }

  @Test
  void aContractDeclaresReadsAndUpdates() throws Exception {
    Map<QName, Operation> operations = operations(new DrawerService(), new ReadRules(ReadLevel.LINEARIZABLE, ReadLevel.SESSION));
    assertEquals(ReadLevel.SESSION, drawer(operations, "look").read());
    assertEquals(ReadLevel.LOCAL, drawer(operations, "glance").read(), "the level of the annotation, for the contract names none");
    assertNull(drawer(operations, "put").read());
    assertNull(drawer(operations, "put").claimable(), "declared an update");
    assertNull(drawer(operations, "peek").read(), "undeclared is an update");
    assertEquals(ReadLevel.SESSION, drawer(operations, "peek").claimable());
    assertNull(drawer(operations(new DrawerService(), RULES), "peek").claimable(), "clients are not trusted");
  }

  @Test
  void aContractNamesTheElementWithThePriority() throws Exception {
    Map<QName, Operation> operations = operations(new DrawerService(), RULES);
    assertEquals("urgency", drawer(operations, "put").priority());
    assertNull(drawer(operations, "look").priority());
  }

  @Test
  void annotationAndContractMustNotContradictEachOther() {
    ConfigurationException kind =
        assertThrows(ConfigurationException.class, () -> operations(new DrawerService.OfUpdate(), RULES));
    assertEquals(
        "The service org.understudy.container.service.DrawerService$OfUpdate cannot be replicated: its operation put is marked @Read, but "
            + "an update by the contract. Change one of them.",
        kind.getMessage());
    ConfigurationException level =
        assertThrows(ConfigurationException.class, () -> operations(new DrawerService.OfLevel(), RULES));
    assertEquals(
        "The service org.understudy.container.service.DrawerService$OfLevel cannot be replicated: its operation look has the level local "
            + "by @Read, but session by the contract. Change one of them.",
        level.getMessage());
  }
}
