package org.understudy.container.state;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Cards are WS-Resources. */
@WebService(targetNamespace = "urn:cards")
@ResourceState(Card.class)
public class CardService {
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

  @WebMethod
  public int stamp(@WebParam(name = "place") String place) {
    return cards.current().stamp(place);
  }
}
