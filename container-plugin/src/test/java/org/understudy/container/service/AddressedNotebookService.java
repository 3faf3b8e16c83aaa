package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;

/** A notebook with a handler and CXF's WS-Addressing. */
@Addressing
@HandlerChain(file = "stamp-handlers.xml")
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class AddressedNotebookService extends NotebookService {}
