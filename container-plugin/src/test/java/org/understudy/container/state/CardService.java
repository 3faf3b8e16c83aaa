package org.understudy.container.state;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.util.concurrent.Semaphore;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Cards are WS-Resources. */
@WebService(targetNamespace = "urn:cards")
@ResourceState(Card.class)
public class CardService {
  /** Slow updates that have begun; each takes one permit of {@link #GO}. */
  static final Semaphore BEGUN = new Semaphore(0);
  static final Semaphore GO = new Semaphore(0);

  private final ResourceHome<Card> cards;

  /** @param cards where they are */
  public CardService(ResourceHome<Card> cards) {
    this.cards = cards;
  }

  /** Answers the id of a new card. */
  @WebMethod
  public String create(@WebParam(name = "place") String place) {
    Card card = new Card();
    card.stamp(place);
    return cards.create(card);
  }

  /** Changes the card, waits, and changes it again. */
  @WebMethod
  public int stampSlowly(@WebParam(name = "place") String place) {
    Card card = cards.current();
    card.stamp(place);
    BEGUN.release();
    GO.acquireUninterruptibly();
    return card.stamp(place);
  }

  @WebMethod
  @Read
  public int stamps() {
    return cards.current().stamps();
  }

  @WebMethod
  public int stamp(@WebParam(name = "place") String place) {
    return cards.current().stamp(place);
  }
}
