package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** Contract of a service whose messages have attachments. */
@WebService(targetNamespace = "urn:album")
public interface Album {
  /** Adds bytes to the picture; returns all of it. */
  @WebMethod
  byte[] add(@WebParam(name = "bytes") byte[] bytes);
}
