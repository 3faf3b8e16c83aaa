package ${package};

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The contract of the service. */
@WebService(targetNamespace = "urn:${artifactId}")
public interface Inventory {
  /** Adds pieces of an item, and returns how many there are now. */
  @WebMethod
  int add(@WebParam(name = "item") String item, @WebParam(name = "count") int count);

  /** Returns how many pieces of an item there are. */
  @WebMethod
  int count(@WebParam(name = "item") String item);
}
