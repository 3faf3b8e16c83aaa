package org.understudy.container.service;

import jakarta.jws.WebService;
import jakarta.xml.ws.soap.MTOM;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.StateCapture;

/** Answers with MTOM. */
@MTOM
@WebService(endpointInterface = "org.understudy.container.service.Album", targetNamespace = "urn:album")
public class AlbumService implements Album, StateCapture {
  public static final AtomicInteger EXECUTIONS = new AtomicInteger();

  private final ByteArrayOutputStream picture = new ByteArrayOutputStream();

  @Override
  public byte[] add(byte[] bytes) {
    EXECUTIONS.incrementAndGet();
    picture.writeBytes(bytes);
    return picture.toByteArray();
  }

  @Override
  public byte[] captureState() {
    return picture.toByteArray();
  }

  @Override
  public void restoreState(byte[] state) {
    picture.reset();
    picture.writeBytes(state);
  }
}
