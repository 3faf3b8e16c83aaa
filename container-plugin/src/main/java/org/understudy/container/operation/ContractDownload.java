package org.understudy.container.operation;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import org.understudy.container.caller.RequestTarget;
import org.understudy.wsrf.contract.PublishedContracts;
import org.understudy.wsrf.operation.Endpoint;

/** Serves the contracts of endpoints, at {@code ?wsdl} of their addresses. Thread-safe; does not block. */
public final class ContractDownload {
  private final PublishedContracts contracts;
  private final URI application;
  private final boolean configured;

  /**
   * @param application the URL of this replica's web application
   * @param configured whether contracts always name that URL, since a proxy may change host and path of a request; otherwise they name
   *     it only if a request names no host
   */
  public ContractDownload(PublishedContracts contracts, URI application, boolean configured) {
    this.contracts = contracts;
    this.application = application;
    this.configured = configured;
  }

  /**
   * Serves a GET or HEAD of a contract.
   *
   * @param endpoint at the request's path
   * @return false when the request is for no contract that is published here; nothing is written then
   */
  public boolean answer(Endpoint endpoint, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    if (!contracts.isAsked(endpoint, request.getQueryString())) {
      return false;
    }
    byte[] document = contracts.document(endpoint, request.getQueryString(), address(request));
    if (document == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND, "The contract has no such document. Start with ?wsdl.");
    } else {
      response.setContentType("text/xml;charset=UTF-8");
      response.setContentLength(document.length);
      if (!request.getMethod().equals("HEAD")) {
        response.getOutputStream().write(document);
      }
    }
    return true;
  }

  /** Returns the address that clients can reach: the configured one, else that which this client used. */
  private String address(HttpServletRequest request) {
    boolean asAddressed = !configured && request.getHeader("Host") != null;
    return (asAddressed ? RequestTarget.application(request) : application) + RequestTarget.encoded(RequestTarget.path(request));
  }
}
