package org.understudy.container.evolution;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.Holder;

/** The contract of today: another operation, an optional element more, and an operation less. */
@WebService(name = "Desk", targetNamespace = "urn:desk")
public interface NewDesk {
  /** @param note optional */
  @WebMethod
  int put(@WebParam(name = "item") String item, @WebParam(name = "note") String note);

  @WebMethod
  String list();

  /** @param unit an optional element more in the response */
  @WebMethod
  int count(@WebParam(name = "unit", mode = WebParam.Mode.OUT) Holder<String> unit);

  @WebMethod
  int mark(@WebParam(name = "item") String item, @WebParam(name = "colour") String colour);

  @WebMethod
  int rename(@WebParam(name = "item") String item, @WebParam(name = "to") String to);
}
