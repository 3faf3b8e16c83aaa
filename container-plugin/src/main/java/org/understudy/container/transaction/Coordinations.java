package org.understudy.container.transaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import javax.xml.namespace.QName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.soap.xml.Elements;
import org.w3c.dom.Element;

/** The coordination protocols of a web application. Immutable. */
public final class Coordinations {
  public static final Coordinations NONE = new Coordinations(List.of());

  private static final Logger LOG = LoggerFactory.getLogger(Coordinations.class);

  private final List<CoordinationProvider> providers;

  /** A transaction of one of the protocols, as a request names it. */
  public record ForeignTransaction(CoordinationProvider provider, TransactionContext context) {}

  private Coordinations(List<CoordinationProvider> providers) {
    this.providers = List.copyOf(providers);
  }

  /** Returns those whose jars the web application has. */
  public static Coordinations installed() {
    List<CoordinationProvider> found = new ArrayList<>();
    ServiceLoader.load(CoordinationProvider.class, Coordinations.class.getClassLoader()).forEach(found::add);
    return new Coordinations(found);
  }

  public boolean isEmpty() {
    return providers.isEmpty();
  }

  /** The header blocks that these protocols read. */
  public Set<QName> headers() {
    Set<QName> names = new HashSet<>();
    providers.forEach(provider -> names.addAll(provider.headers()));
    return names;
  }

  /**
   * Reads a header block.
   *
   * @return null if it names no transaction
   * @throws IllegalArgumentException with a sentence for the client, when it is invalid
   */
  ForeignTransaction of(Element header) {
    for (CoordinationProvider provider : providers) {
      TransactionContext context = provider.headers().contains(Elements.name(header)) ? provider.contextOf(header) : null;
      if (context != null) {
        return new ForeignTransaction(provider, context);
      }
    }
    return null;
  }

  /** The number by which the replicas name a protocol: all have the same jars. */
  int number(CoordinationProvider provider) {
    return providers.indexOf(provider);
  }

  /** Passes a registration of all replicas to its protocol. */
  void registered(int number, String transaction, byte[] registration) {
    if (number < 0 || number >= providers.size()) {
      LOG.warn("This replica lacks the protocol of the transaction {}. Install the same jars at all replicas.", transaction);
      return;
    }
    providers.get(number).registered(transaction, registration);
  }

  void ended(String transaction) {
    providers.forEach(provider -> provider.ended(transaction));
  }

  void started(TransactionParticipant participant) {
    providers.forEach(provider -> provider.started(participant));
  }
}
