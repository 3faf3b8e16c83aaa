package org.understudy.container.state;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.property.ResourceProperties;
import org.understudy.replication.api.property.ResourceProperty;

/** A state object that has no code for its capture. */
@ReplicatedState
@ResourceProperties(namespace = "urn:cards", document = "Card")
public class Card {
  private int stamps;
  private List<String> places = new ArrayList<>();
  private transient int reads;

  int reads() {
    return reads;
  }

  int stamps() {
    return stamps;
  }

  int stamp(String place) {
    places.add(place);
    return ++stamps;
  }

  @ResourceProperty
  public int getStamps() {
    reads++;
    return stamps;
  }

  public void setStamps(int stamps) {
    this.stamps = stamps;
  }

  @ResourceProperty("Place")
  public List<String> getPlaces() {
    return places;
  }
}
