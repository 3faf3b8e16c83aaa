/**
 * What each durability mechanism costs a counter and the Matchmaker, beside Figures IV.3 and IV.6 of Zhang 2006: without durability, with
 * replicated objects, with a database, and with one of each.
 */
package org.understudy.lab.durability;
