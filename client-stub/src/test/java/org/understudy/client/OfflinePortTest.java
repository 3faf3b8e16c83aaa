package org.understudy.client;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;
import jakarta.xml.ws.RequestWrapper;
import jakarta.xml.ws.ResponseWrapper;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.understudy.counter.CounterPortType;
import org.understudy.test.LogRecorder;

/** A port needs no WSDL, not even one that its interface names and that cannot be had, and logs nothing unusual. */
@Timeout(60)
class OfflinePortTest {
  private final FakeGroup replicas = new FakeGroup(2);
  private final FaultTolerantGroup group = FaultTolerant.group(replicas.config().build());
  private final LogRecorder warnings = LogRecorder.of(Level.WARNING, "");

  @AfterEach
  void end() {
    warnings.close();
    group.close();
    replicas.close();
  }

  /** The counter's operation as a foreign tool might have generated it: with the address of a WSDL. */
  @WebService(
      targetNamespace = "http://counter.com",
      name = "CounterPortType",
      wsdlLocation = "http://127.0.0.1:1/gone?wsdl")
  @SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.WRAPPED)
  public interface CounterWithLocation {
    @WebMethod
    @RequestWrapper(localName = "add", targetNamespace = "http://counter.com", className = "org.understudy.counter.Add")
    @ResponseWrapper(
        localName = "addResponse", targetNamespace = "http://counter.com", className = "org.understudy.counter.AddResponse")
    @WebResult(name = "total", targetNamespace = "http://counter.com")
    int add(@WebParam(name = "value", targetNamespace = "http://counter.com") int value);
  }

  @Test
  void aPortIsMadeOfAnnotationsAlone() throws Exception {
    assertEquals(3, group.client(CounterPortType.class, null).add(3));
  }

  @Test
  void aWsdlThatTheInterfaceNamesIsNotFetched() {
    assertEquals(3, group.client(CounterWithLocation.class, null).add(3));
  }

  /** The counter's interface without one of the contract's operations, as a service's is without those of the standards. */
  @WebService(targetNamespace = "http://counter.com", name = "CounterPortType")
  public interface AddOnly {
    @WebMethod(action = "http://counter.com/CounterPortType/addRequest")
    @RequestWrapper(localName = "add", targetNamespace = "http://counter.com", className = "org.understudy.counter.Add")
    @ResponseWrapper(
        localName = "addResponse", targetNamespace = "http://counter.com", className = "org.understudy.counter.AddResponse")
    @WebResult(name = "total", targetNamespace = "http://counter.com")
    int add(@WebParam(name = "value", targetNamespace = "http://counter.com") int value);
  }

  @Test
  void anOperationThatTheInterfaceLacksIsNoWarning() {
    assertEquals(3, group.client(AddOnly.class, CounterPortType.class.getResource("/wsdl/counter.wsdl")).add(3));
    assertEquals(List.of(), warnings.lines());
  }

  @Test
  void nothingIsLoggedAsAWarning() throws Exception {
    group.client(CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl")).add(1);
    group.client(CounterPortType.class, null).add(1);
    assertEquals(List.of(), warnings.lines());
  }
}
