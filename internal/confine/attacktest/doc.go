// Package attacktest has a module that tries to do harm in more than a hundred ways, and notices if that got through.
package attacktest
