package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import jakarta.xml.ws.soap.MTOM;

/** An album with the handler of {@link StampedNotebookService}. */
@MTOM
@HandlerChain(file = "stamp-handlers.xml")
@WebService(endpointInterface = "org.understudy.container.service.Album", targetNamespace = "urn:album")
public class StampedAlbumService extends AlbumService {}
