package org.understudy.session.record;

import java.io.InvalidObjectException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLConnection;
import java.net.URLStreamHandler;
import java.security.PrivateKey;
import javax.crypto.SecretKey;

/** What is permitted by its class, and not by what it is or where it stands. Thread-safe. */
final class RestoredObjects {
  private final AttributeClasses classes;

  RestoredObjects(AttributeClasses classes) {
    this.classes = classes;
  }

  /** @throws InvalidObjectException for a private or secret key that the administrator does not permit */
  Object check(Object restored) throws InvalidObjectException {
    boolean secret = restored instanceof PrivateKey || restored instanceof SecretKey;
    if (secret && !classes.lists(AttributeClasses.KEYS) && !classes.lists(restored.getClass().getName())) {
      throw new InvalidObjectException(
          "a private or secret key would be stored by each replica, and in its journal; list " + AttributeClasses.KEYS
              + " in \"classes\" of the Manager element to permit it");
    }
    return restored;
  }

  /** The same for a trial, whose result is dropped: a URL may not be hashed in it, as a key is while its map is read. */
  Object checkTrial(Object restored) throws InvalidObjectException {
    return restored instanceof URL url ? Unhashed.of(url) : check(restored);
  }

  /** The hash code of a URL asks the name service for its host, at every replica that reads it. */
  private static final class Unhashed extends URLStreamHandler {
    private static final Unhashed INSTANCE = new Unhashed();

    static URL of(URL url) throws InvalidObjectException {
      try {
        return new URL(null, url.toExternalForm(), INSTANCE);
      } catch (MalformedURLException e) {
        throw new InvalidObjectException(e.getMessage());
      }
    }

    @Override
    protected URLConnection openConnection(URL url) {
      throw new UnsupportedOperationException();
    }

    @Override
    protected int hashCode(URL url) {
      throw new IllegalStateException("a URL is in a set or a key of a map, and its hash code asks the name service; use a java.net.URI");
    }

    @Override
    protected boolean equals(URL one, URL other) {
      return one.toExternalForm().equals(other.toExternalForm());
    }
  }
}
