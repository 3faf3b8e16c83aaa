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
 * A poll on a connection that Tomcat has handed over, as it does for protocol upgrades. Tomcat reuses its request and response,
 * with their buffers of some 80 KB, for other clients meanwhile, and it reports the end of the connection at once. The connection
 * cannot return to HTTP: the response's header requires the client to close it. Until then it counts against the client's share.
 * Public, with a public constructor, because Tomcat instantiates it.
 */
public final class ConnectionPoll extends LongPoll implements HttpUpgradeHandler {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionPoll.class);
  /** The bytes that a waiting client may send: some clients send a line end after the body. */
  private static final int MAX_STRAY_BYTES = 256;

  private WebConnection connection;

  /** Reports the end of the connection. */
  private final class EndListener implements ReadListener {
    private final ServletInputStream in;
    private int strayBytes;

    EndListener(ServletInputStream in) {
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
  void accept(LongPolls owner, Terms waitTerms) {
    polls = owner;
    terms = waitTerms;
  }

  /** Called by Tomcat when the request has ended and the connection belongs to this handler. */
  @Override
  public void init(WebConnection handedOver) {
    connection = handedOver;
    try {
      ServletInputStream in = handedOver.getInputStream();
      in.setReadListener(new EndListener(in));
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

  /** Called by Tomcat when the connection has closed, or could not be handed over. */
  @Override
  public void destroy() {
    release();
  }
}
