package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicatedState;

/** Contract-first; its WSDL declares which operations are reads. */
@WebService(
    name = "Drawer", serviceName = "DrawerService", portName = "Drawer", targetNamespace = "urn:drawer",
    wsdlLocation = "classpath:wsdl/drawer.wsdl")
public class DrawerService {
  @ReplicatedState private int items;

  /** A read by the contract. */
  @WebMethod(action = "urn:drawer:look")
  @WebResult(name = "items", targetNamespace = "urn:drawer")
  public int look() {
    return items;
  }

  /** A read by the contract and by annotation. */
  @WebMethod(action = "urn:drawer:glance")
  @WebResult(name = "items", targetNamespace = "urn:drawer")
  @Read(ReadLevel.LOCAL)
  public int glance() {
    return items;
  }

  /** An update by the contract. */
  @WebMethod(action = "urn:drawer:put")
  @WebResult(name = "items", targetNamespace = "urn:drawer")
  public int put() {
    return ++items;
  }

  /** An update, because nothing is declared. */
  @WebMethod(action = "urn:drawer:peek")
  @WebResult(name = "items", targetNamespace = "urn:drawer")
  public int peek() {
    return items;
  }

  /** Marks an operation that is an update by the contract. */
  public static class OfUpdate extends DrawerService {
    @Override
    @WebMethod(action = "urn:drawer:put")
    @WebResult(name = "items", targetNamespace = "urn:drawer")
    @Read
    public int put() {
      return super.put();
    }
  }

  /** Marks a read with another level than the contract. */
  public static class OfLevel extends DrawerService {
    @Override
    @WebMethod(action = "urn:drawer:look")
    @WebResult(name = "items", targetNamespace = "urn:drawer")
    @Read(ReadLevel.LOCAL)
    public int look() {
      return super.look();
    }
  }
}
