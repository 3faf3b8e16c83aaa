/** Captures and restores the state of objects that have no code for it, from the types that their classes declare. */
package org.understudy.state;
