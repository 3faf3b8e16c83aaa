package org.understudy.container.attachment;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;

/** Keeps its state in WS-Resources, whose home the plugin sets or connects. */
@FaultTolerant
@ResourceState(Cellar.Cask.class)
@WebService(targetNamespace = "urn:cellar")
public class Cellar {
  private ResourceHome<Cask> casks;

  Cellar() {}

  Cellar(ResourceHome<Cask> casks) {
    this.casks = casks;
  }

  public String open() {
    return casks.address(casks.create(new Cask()));
  }

  public int fill(@WebParam(name = "litres") int litres) {
    Cask cask = casks.current();
    cask.litres += litres;
    return cask.litres;
  }

  /** A cask. */
  public static class Cask implements StateCapture {
    private int litres;

    /** Needed by the plugin. */
    public Cask() {}

    @Override
    public byte[] captureState() {
      return new byte[] {(byte) litres};
    }

    @Override
    public void restoreState(byte[] state) {
      litres = state[0];
    }
  }
}
