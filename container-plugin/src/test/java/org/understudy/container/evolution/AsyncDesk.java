package org.understudy.container.evolution;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.AsyncHandler;
import jakarta.xml.ws.RequestWrapper;
import jakarta.xml.ws.Response;
import jakarta.xml.ws.ResponseWrapper;
import java.util.concurrent.Future;
import org.understudy.container.evolution.generated.PutResponse;

/** The old contract with asynchronous methods, as a client generates it. */
@WebService(name = "Desk", targetNamespace = "urn:desk")
public interface AsyncDesk {
  String PUT = "org.understudy.container.evolution.generated.Put";
  String PUT_RESPONSE = "org.understudy.container.evolution.generated.PutResponse";

  @WebMethod(operationName = "put")
  @RequestWrapper(localName = "put", targetNamespace = "urn:desk", className = PUT)
  @ResponseWrapper(localName = "putResponse", targetNamespace = "urn:desk", className = PUT_RESPONSE)
  Response<PutResponse> putAsync(@WebParam(name = "item") String item);

  @WebMethod(operationName = "put")
  @RequestWrapper(localName = "put", targetNamespace = "urn:desk", className = PUT)
  @ResponseWrapper(localName = "putResponse", targetNamespace = "urn:desk", className = PUT_RESPONSE)
  Future<?> putAsync(
      @WebParam(name = "item") String item, @WebParam(name = "asyncHandler", targetNamespace = "") AsyncHandler<PutResponse> handler);

  @WebMethod
  @RequestWrapper(localName = "put", targetNamespace = "urn:desk", className = PUT)
  @ResponseWrapper(localName = "putResponse", targetNamespace = "urn:desk", className = PUT_RESPONSE)
  int put(@WebParam(name = "item") String item);
}
