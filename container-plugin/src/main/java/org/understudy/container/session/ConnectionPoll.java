package org.understudy.container.session;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpUpgradeHandler;
import jakarta.servlet.http.WebConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A poll on a connection that Tomcat has handed over, as it does for protocol upgrades. Tomcat's request and response, with
 * their buffers of some 80 KB, serve others meanwhile, and the end of the connection is reported at once. The connection
 * cannot return to HTTP: after the response the client closes it, as the response's header requires. A client that does
 * not close it keeps its place in its share. Public, with this constructor, for Tomcat.
 */
public final class ConnectionPoll extends LongPoll implements HttpUpgradeHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPoll.class);
  /** A client has nothing to send while it waits; some send a line end behind a body. */
  private static final int MAX_STRAY_BYTES = 256;

  private WebConnection connection;

  /** Reports the end of the connection. */
  private final class Watch implements ReadListener {
    private final ServletInputStream in;
    private int strayBytes;

    Watch(ServletInputStream in) {
      this.in = in;
    }

    @Override
    public void onDataAvailable() throws IOException {
      byte[] stray = new byte[MAX_STRAY_BYTES];
      while (!hasEnded() && in.isReady()) {
        int count = in.read(stray);
        if (count < 0) {
          return;
        }
        strayBytes += count;
        if (strayBytes > MAX_STRAY_BYTES) {
          end();
        }
      }
    }

    @Override
    public void onAllDataRead() {
      end();
    }

    @Override
    public void onError(Throwable broken) {
      end();
    }
  }

  /** Called by {@link LongPolls#hold} only, right after construction. */
  void accept(LongPolls owner, Terms what) {
    polls = owner;
    terms = what;
  }

  /** The request has been left; the connection belongs to this. */
  @Override
  public void init(WebConnection handedOver) {
    connection = handedOver;
    try {
      ServletInputStream in = handedOver.getInputStream();
      in.setReadListener(new Watch(in));
      begin(handedOver.getOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Marks both directions as closed. Tomcat closes the socket at the next event on it. */
  @Override
  void finish() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (Exception e) {
      LOG.debug("The connection of a client that waited for a view broke.", e);
    }
  }

  /** The connection is gone, or has never been handed over. */
  @Override
  public void destroy() {
    release();
  }
}
