package org.understudy.container.service;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import org.apache.cxf.interceptor.InInterceptors;
import org.apache.cxf.interceptor.OutFaultInterceptors;
import org.apache.cxf.interceptor.OutInterceptors;

/** A notebook whose messages are signed and encrypted, with CXF's WS-Addressing. */
@Addressing
@InInterceptors(classes = SealedNotebookService.Open.class)
@OutInterceptors(classes = SealedNotebookService.Seal.class)
@OutFaultInterceptors(classes = SealedNotebookService.Seal.class)
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class SealedAddressedNotebookService extends NotebookService {}
